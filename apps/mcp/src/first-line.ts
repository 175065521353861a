import type { Readable } from "node:stream";

/** Reads the first line of a stream and puts it back; undefined when the stream ends without one. */
export function firstLine(stream: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    const read: Buffer[] = [];
    const done = (isWhole: boolean) => {
      stream.off("data", onData).off("end", onEnd).off("error", onEnd).pause();
      const all = Buffer.concat(read);
      if (isWhole) stream.unshift(all);
      resolve(isWhole ? all.subarray(0, all.indexOf("\n")).toString() : undefined);
    };
    const onData = (chunk: Buffer) => {
      read.push(chunk);
      if (chunk.includes("\n")) done(true);
    };
    const onEnd = () => done(false);
    stream.on("data", onData).once("end", onEnd).once("error", onEnd);
  });
}
