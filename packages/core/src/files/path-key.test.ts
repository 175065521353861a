import { expect, it } from "vitest";
import { hasSegments, isBelow, isNameOf, matchPaths, partKeyOf, pathKeyOf } from "./path-key.ts";

it.each([
  ["./src/Login.ts", "src/login.ts"],
  ["/home/dev/acme/", "home/dev/acme"],
  ["C:\\dev\\acme\\x.ts", "c:/dev/acme/x.ts"],
  ["  src//auth  ", "src/auth"],
  ["/", ""],
])("a path named %s is asked for as %s", (input, part) => {
  expect(partKeyOf(input)).toBe(part);
});

it("keeps to whole names", () => {
  expect(hasSegments("/x/src/auth/login.ts", "auth/login.ts")).toBe(true);
  expect(hasSegments("/x/src/auth/login.tsx", "auth/login.ts")).toBe(false);
  expect(hasSegments("/x/src/oauth/login.ts", "auth/login.ts")).toBe(false);
  expect(hasSegments("/x/src/auth/login.ts", "src")).toBe(true);
});

it("looks anywhere only where no whole name is", () => {
  const keys = ["/x/login.ts", "/x/oauth/login.ts", "/x/auth/login.tsx"];
  expect(matchPaths(keys, "login.ts")).toEqual({ match: "segments", keys: keys.slice(0, 2) });
  expect(matchPaths(keys, "auth/login")).toEqual({ match: "substring", keys: keys.slice(1) });
  expect(matchPaths(keys, "x/auth/login.ts", true)).toEqual({ match: "segments", keys: [] });
  expect(matchPaths(keys, "x/oauth/login.ts", true)).toEqual({ match: "segments", keys: keys.slice(1, 2) });
});

it("a folder holds what is below it and nothing that begins alike", () => {
  expect(isBelow("/x/proj/a.ts", ["/y", "/x/proj"])).toBe(true);
  expect(isBelow("/x/proj-secret/a.ts", ["/x/proj"])).toBe(false);
  expect(isBelow("/a.ts", ["/"])).toBe(true);
  expect(isBelow(pathKeyOf("C:\\w\\a.ts"), ["c:/w"])).toBe(true);
});

it("knows a file by the name that its project has for it", () => {
  expect(isNameOf("src/auth/login.ts", "home/dev/acme/src/auth/login.ts")).toBe(true);
  expect(isNameOf("src/auth/login.ts", "login.ts")).toBe(true);
  expect(isNameOf("index.ts", "home/dev/acme/src/index.ts")).toBe(false);
  expect(isNameOf("auth/login.ts", "x/oauth/login.ts")).toBe(false);
});
