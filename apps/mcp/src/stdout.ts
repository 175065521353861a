import { Writable } from "node:stream";

/** Reserves stdout for the protocol: other output goes to stderr from here on, while that can be written. */
export function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const frames = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, (error) => done(error ?? null)),
  });
  // The agent is gone. Its end of stdin says so too, and that is where the program ends.
  stdout.on("error", () => frames.destroy());
  // A log that the agent does not read, or has no room for, is no reason to leave it without its memory.
  stderr.on("error", () => {});
  frames.on("error", () => {});
  return frames;
}
