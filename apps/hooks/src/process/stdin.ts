import { read } from "node:fs";

const PIECE_BYTES = 65_536;
const AGAIN_MS = 2;

/**
 * Reads stdin to its end; undefined when it is too long, or does not come in time. The rest of an overlong input is
 * read as well, so that the writer is not cut off.
 */
export function readStdin(maxBytes: number, patienceMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const take = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= maxBytes) pieces.push(piece);
    };
    const end = (isWhole: boolean) => {
      clearTimeout(waiting);
      resolve(isWhole && bytes <= maxBytes ? Buffer.concat(pieces).toString("utf8") : undefined);
    };
    const waiting = setTimeout(() => end(false), patienceMs);
    // A read that is still waited for would hold up the end of this process, unless that can leave it behind.
    if (process.execve) readDescriptor(take, end);
    else readStream(take, end);
  });
}

type Take = (piece: Buffer) => void;
type End = (isWhole: boolean) => void;

/** Without Node's streams and sockets, which take a third of an event's time to load. */
function readDescriptor(take: Take, end: End): void {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const next = () =>
    read(0, piece, 0, PIECE_BYTES, null, (error, bytes) => {
      if (error?.code === "EAGAIN") return void setTimeout(next, AGAIN_MS);
      if (error || bytes === 0) return end(!error || error.code === "EOF");
      take(Buffer.from(piece.subarray(0, bytes)));
      next();
    });
  next();
}

function readStream(take: Take, end: End): void {
  const { stdin } = process;
  stdin.on("data", take);
  stdin.on("end", () => end(true));
  stdin.on("error", () => end(false));
}
