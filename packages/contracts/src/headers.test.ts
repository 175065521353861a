import { describe, expect, it } from "vitest";
import {
  decodeProjectHeader,
  isIdempotencyKey,
  isRequestId,
  isSessionId,
  readClientHeader,
  writeClientHeader,
} from "./headers.ts";

describe("a client's statement", () => {
  it("is read as it was written", () => {
    const stated = { name: "chest-memory", version: "0.4.0", wire: "1.6.0", machine: "m-1", agent: "Claude Code" };
    const header = writeClientHeader(stated);
    expect(header).toBe("chest-memory/0.4.0; wire=1.6.0; machine=m-1; agent=Claude Code");
    expect(readClientHeader(header)).toEqual(stated);
  });

  it("without a wire, or with one that is no version, is of 1.5.0", () => {
    expect(readClientHeader("chest-memory/0.4.0")).toMatchObject({ wire: "1.5.0" });
    expect(readClientHeader("chest-memory/0.4.0; wire=new")).toMatchObject({ wire: "1.5.0" });
    expect(readClientHeader("chest-memory/0.4.0; wire=")).toMatchObject({ wire: "1.5.0" });
    expect(readClientHeader("chest-memory/0.4.0; wire=v1.7")).toMatchObject({ wire: "v1.7" });
  });

  it.each([
    undefined,
    "",
    "a\u0085/1.0",
    "a/1\u0000",
    "chest-memory",
    "/1.0",
    "chest-memory/",
    "; wire=1.6.0",
    "x".repeat(513),
  ])("that does not parse is ignored: %j", (header) => {
    expect(readClientHeader(header)).toBeUndefined();
  });

  it("cannot break out of its header", () => {
    const header = writeClientHeader({
      name: "a",
      version: "1",
      wire: "1.6.0",
      agent: "x\r\nAuthorization: y; wire=9 é",
    });
    expect(header).not.toMatch(/[\r\n]/);
    expect(readClientHeader(header)?.wire).toBe("1.6.0");
  });
});

describe("a project's key", () => {
  it.each([
    ["github.com%2Facme%2Fapi", "github.com/acme/api"],
    ["caf%C3%A9", "café"],
    ["plain", "plain"],
  ])("%j is %j", (header, key) => {
    expect(decodeProjectHeader(header)).toBe(key);
  });

  it.each(["%zz", "50%", "%E0%A4%A"])("is not %j", (header) => {
    expect(decodeProjectHeader(header)).toBeUndefined();
  });
});

describe("ids in headers", () => {
  it("of requests are short and plain", () => {
    expect(["r-1", "A.b_C-9", "x".repeat(128)].every(isRequestId)).toBe(true);
    expect(["", "a b", "x".repeat(129), "a\nb", "é", "a/b"].some(isRequestId)).toBe(false);
  });

  it("of intended writes are visible ASCII", () => {
    expect(["k", "!~", "x".repeat(255)].every(isIdempotencyKey)).toBe(true);
    expect(["", "a b", "x".repeat(256), "a\tb", "é"].some(isIdempotencyKey)).toBe(false);
  });

  it("of sessions are opaque, and no longer than 128 characters", () => {
    expect(["5f0c", "a/b+c=", "x".repeat(128)].every(isSessionId)).toBe(true);
    expect(["", "a b", "x".repeat(129), "a\nb", "é"].some(isSessionId)).toBe(false);
  });
});
