import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tokenIn } from "./token-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chest-token-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("is made once, for its owner only, and is recognisable as a token", () => {
  const { token, file } = tokenIn(folder);

  expect(token).toMatch(/^cht_[\w-]{43}$/);
  expect(file).toBe(join(folder, "token"));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(tokenIn(folder).token).toBe(token);
  expect(readdirSync(folder)).toEqual(["token"]);
});

it("differs in another folder", () => {
  const other = join(folder, "other");
  const { token } = tokenIn(folder);
  rmSync(join(folder, "token"));

  expect(tokenIn(folder).token).not.toBe(token);
  expect(() => tokenIn(other)).toThrow();
});

it("may be the operator's own", () => {
  writeFileSync(join(folder, "token"), `${"x".repeat(40)}\n`);

  expect(tokenIn(folder).token).toBe("x".repeat(40));
});

it("is refused when it is too short", () => {
  writeFileSync(join(folder, "token"), "short\n");

  expect(() => tokenIn(folder)).toThrow("has fewer than 32 characters");
});
