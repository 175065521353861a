import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonical } from "./canonical.ts";

describe("the canonical text", () => {
  it("is the content as stored: redacted, well-formed, otherwise exact", () => {
    expect(canonical('  {"a": 00123}\r\n').content).toBe('  {"a": 00123}\r\n');
    expect(canonical("nul \0, half \udc00").content).toBe("nul \ufffd, half \ufffd");
    expect(canonical("PASSWORD=hunter2hunter2 tokenizer: fast").content).toBe("PASSWORD=[REDACTED] tokenizer: fast");
  });

  it("is what both hashes are made of, in UTF-8", () => {
    const { content, contentHash, contentSha1 } = canonical("naïve 🦊 token=abcdef123456");
    const hashed = (algorithm: string) => createHash(algorithm).update(Buffer.from(content, "utf8")).digest("hex");
    expect([contentHash, contentSha1]).toEqual([hashed("sha256"), hashed("sha1")]);
  });

  it("of a canonical text is the same", () => {
    const once = canonical("API_KEY=abcdefgh12345678 <private>x</private> 日本語 \ud800");
    expect(canonical(once.content)).toEqual(once);
  });

  it("is the same for texts that differ in a secret only", () => {
    expect(canonical("DB_PASSWORD=aaaaaaaa1").contentHash).toBe(canonical("DB_PASSWORD=bbbbbbbb2").contentHash);
  });

  it("is found by no secret", () => {
    expect(canonical("API_KEY=abcdefgh12345678").words).not.toContain("abcdefgh");
  });
});
