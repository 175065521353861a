import { Agent, request } from "node:http";
import type { Refusal } from "./doors.ts";

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Sends the body in chunks, without a length. */
  readonly isChunked?: boolean;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Error of the envelope, if the answer is one. */
  readonly error: Refusal | undefined;
}

const PIECE = 64 * 1024;

/** Sends a request that violates HTTP; an answer before the body's end is accepted. */
export function sendRaw(
  url: string,
  { method = "POST", headers, body = "", isChunked }: RawRequest,
): Promise<RawAnswer> {
  const bytes = Buffer.from(body as string);
  // A separate connection that stays open, so that the rest of a refused body cannot run into the next request.
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
      // The server has closed the connection while the rest of a refused body was being sent.
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
    return undefined; // The answer is no envelope; a test that expects one then fails.
  }
}
