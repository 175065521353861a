import { Writable } from "node:stream";

/** Takes stdout for the protocol alone: whatever else is printed from here on goes to stderr. */
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
  frames.on("error", () => {});
  return frames;
}
