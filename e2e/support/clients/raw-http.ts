import { Agent, request } from "node:http";
import type { Refusal } from "./doors.ts";

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Sent in pieces, without a length. */
  readonly isChunked?: boolean;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Error of the envelope, if that is the answer. */
  readonly error: Refusal | undefined;
}

const PIECE = 64 * 1024;

/** A request that breaks the rules of HTTP; an answer that comes before the body's end counts. */
export function sendRaw(
  url: string,
  { method = "POST", headers, body = "", isChunked }: RawRequest,
): Promise<RawAnswer> {
  const bytes = Buffer.from(body as string);
  // A connection of its own, kept open: what is left of a body that was refused must not run into the next request.
  const agent = new Agent({ keepAlive: true });
  return new Promise((resolve, reject) => {
    const length = isChunked ? { "transfer-encoding": "chunked" } : { "content-length": String(bytes.length) };
    const outgoing = request(url, {
      agent,
      method,
      headers: { "content-type": "application/json", ...length, ...headers },
    });
    let isAnswered = false;
    outgoing.on("response", (response) => {
      isAnswered = true;
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece)).on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, error: errorIn(text) });
        outgoing.destroy();
        agent.destroy();
      });
    });
    outgoing.on("error", (error) => {
      // The rest of a refused body finds a closed connection.
      if (!isAnswered) reject(error);
    });
    for (let at = 0; at < bytes.length; at += PIECE) outgoing.write(bytes.subarray(at, at + PIECE));
    outgoing.end();
  });
}

function errorIn(text: string): Refusal | undefined {
  try {
    return JSON.parse(text)?.error;
  } catch {
    return undefined; // No envelope; a test that expects one sees it missing.
  }
}
