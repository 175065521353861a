import { read } from "node:fs";

const PIECE_BYTES = 65_536;
const AGAIN_MS = 2;
/** Pause in milliseconds after which complete input is accepted, although stdin is still open. */
const QUIET_MS = 50;

export interface Reading {
  readonly maxBytes: number;
  readonly patienceMs: number;
  /** Whether the text is complete: some writers never close the pipe. */
  isWhole(text: string): boolean;
}

export interface StdinText {
  readonly text: string;
  /** Whether the writer keeps the pipe open, so that a read is pending. */
  readonly isOpen: boolean;
}

/**
 * Reads stdin to its end, or until the text is complete and nothing more arrives; undefined if it is too long or late.
 * The rest of a long input is read too, so that the writer gets no error.
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
    // A pending read would delay the exit, unless `execve` can replace the process.
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

/** Avoids Node's streams and sockets, whose loading takes a third of an event's time. */
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
