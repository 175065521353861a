import { read } from "node:fs";

const PIECE_BYTES = 65_536;
const AGAIN_MS = 2;
/** Milliseconds without a further piece after which an input may be whole, though its end has not come. */
const QUIET_MS = 50;

export interface Reading {
  readonly maxBytes: number;
  readonly patienceMs: number;
  /** Whether a text is all of the input: some writers never close the pipe. */
  isWhole(text: string): boolean;
}

export interface StdinText {
  readonly text: string;
  /** Whether the writer keeps the pipe open: a read is still waited for. */
  readonly isOpen: boolean;
}

/**
 * Reads stdin to its end, or until what came is whole and no more comes; undefined when it is too long, or does not come in
 * time. The rest of an overlong input is read as well, so that the writer is not cut off.
 */
export function readStdin({ maxBytes, patienceMs, isWhole }: Reading): Promise<StdinText | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let quiet: NodeJS.Timeout | undefined;
    const take = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= maxBytes) pieces.push(piece);
      clearTimeout(quiet);
      if (bytes <= maxBytes && endsObject(piece)) quiet = setTimeout(look, QUIET_MS);
    };
    const settle = (read: StdinText | undefined) => {
      clearTimeout(waiting);
      clearTimeout(quiet);
      resolve(read);
    };
    const look = () => {
      const text = textOf(pieces);
      if (isWhole(text)) settle({ text, isOpen: true });
    };
    const end = (isEnded: boolean) =>
      settle(isEnded && bytes <= maxBytes ? { text: textOf(pieces), isOpen: false } : undefined);
    const waiting = setTimeout(() => {
      look();
      end(false);
    }, patienceMs);
    // A read that is still waited for would hold up the end of this process, unless that can leave it behind.
    if (process.execve) readDescriptor(take, end);
    else readStream(take, end);
  });
}

/** The text of the pieces, without the byte-order mark that some shells put before it. */
const textOf = (pieces: readonly Buffer[]): string =>
  Buffer.concat(pieces)
    .toString("utf8")
    .replace(/^\uFEFF/, "");

const endsObject = (piece: Buffer): boolean => /\}\s*$/.test(piece.subarray(-16).toString("latin1"));

type Take = (piece: Buffer) => void;
type End = (isEnded: boolean) => void;

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
