import { expect } from "vitest";
import type { z } from "zod";
import type { Address } from "../clients/doors.ts";

/** Answer as a 1.5 client sees it: the status, and the body read as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends requests like a 1.5 client: with a token, a content type, and no later header. */
export class OldClient {
  readonly #address: Address;

  constructor(address: Address) {
    this.#address = address;
  }

  async send(method: "GET" | "POST", path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.#address.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#address.token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() } satisfies Answer;
  }

  /** Reads an endpoint's answer by the schema of a 1.5 client. */
  async read<S extends z.ZodType>(schema: S, method: "GET" | "POST", path: string, body?: unknown, headers = {}) {
    const answer = await this.send(method, path, body, headers);
    expect(answer, path).toMatchObject({ status: 200 });
    return schema.parse(answer.body);
  }

  /** Reads the result of a tool; a 1.5 client checks `ok` twice. */
  async tool<S extends z.ZodType>(schema: S, name: string, input: unknown): Promise<z.output<S>> {
    const answer = await this.send("POST", `/api/tools/${name}`, input);
    expect(answer, name).toMatchObject({ status: 200, body: { ok: true, result: { ok: true } } });
    return schema.parse((answer.body as { result: unknown }).result);
  }

  /** Reads a tool's refusal, which Chest also shows in the status. */
  async refusal(name: string, input: unknown): Promise<{ status: number; code: string; message: string }> {
    const { status, body } = await this.send("POST", `/api/tools/${name}`, input);
    expect(body).toMatchObject({ ok: false, error: { code: expect.any(String), message: expect.any(String) } });
    const { code, message } = (body as { error: { code: string; message: string } }).error;
    return { status, code, message };
  }
}
