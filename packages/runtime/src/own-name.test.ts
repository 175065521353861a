import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ownName, startInClone, typedHere } from "./own-name.ts";
import { RELEASE } from "./version.ts";

const bin = mkdtempSync(join(tmpdir(), "chest-bin-"));
const NODE = join(bin, "node-24");
writeFileSync(NODE, "");
writeFileSync(join(bin, "chest-index"), "#!/bin/sh\n", { mode: 0o755 });
afterAll(() => rmSync(bin, { recursive: true }));

it.each([
  ["it is on the path", bin, "/c/dist/chest-index.js", "chest-index"],
  ["it was started by its file", "/nowhere", "/c/dist/chest-index.js", `${NODE} /c/dist/chest-index.js`],
  ["by an alias", "/nowhere", "/my c/chest-memory-setup.js", `${NODE} '/my c/chest-index.js'`],
  [
    "by a package runner",
    "/h/.npm/_npx/1/node_modules/.bin",
    "/h/.npm/_npx/1/node_modules/.bin/chest-index",
    `npx --yes --package chest-memory@${RELEASE} chest-index`,
  ],
  ["from elsewhere", "/nowhere", "/c/vitest.mjs", "chest-index"],
])("is called as it can be typed: %s", (_, PATH, script, program) => {
  expect(ownName({ PATH, CHEST_DATA_DIR: join(bin, "none") }, script, NODE)).toMatchObject({ program });
});

it("is, by a package runner, what setup keeps as soon as it is there", () => {
  const dataDir = join(bin, "my data");
  const env = { PATH: "/h/.npm/_npx/1/node_modules/.bin", CHEST_DATA_DIR: dataDir };
  const name = ownName(env, "/h/.npm/_npx/1/node_modules/.bin/chest-memory", NODE);
  const hint = () => typedHere("`chest-index status`", name);
  expect(hint()).toBe(`\`npx --yes --package chest-memory@${RELEASE} chest-index status\``);
  const dist = join(dataDir, "bin/client/node_modules/chest-memory/dist");
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, "chest-index.js"), "");
  expect(hint()).toBe(`\`${NODE} '${dist}/chest-index.js' status\``);
  writeFileSync(join(dataDir, "bin/chest-index"), "#!/bin/sh\n", { mode: 0o755 });
  expect(hint()).toBe(`\`'${dataDir}/bin/chest-index' status\``);
  const { kept } = ownName({ ...env, PATH: `${env.PATH}:${bin}` }, "/h/.npm/_npx/1/x/chest-index", NODE);
  expect(kept?.()).toBe("chest-index");
});

describe("a script of a clone", () => {
  const npm = (script: string) => ({
    PATH: bin,
    npm_lifecycle_event: script,
    npm_package_name: "chest",
    npm_package_json: "/my clone/package.json",
  });
  const typed = (script: string, cwd: string, text: string) =>
    typedHere(text, ownName(npm(script), "/my clone/apps/mcp/dist/chest-index.js", NODE, cwd));

  it.each([
    ["chest-index", "/my clone/docs", "`npm run -s chest-index -- setup --yes` and `npm run -s chest-index -- status`"],
    ["setup", "/my clone", "`npm run setup -- --yes` and `npm run -s chest-index -- status`"],
    [
      "chest-index",
      "/elsewhere",
      "`npm --prefix '/my clone' run -s chest-index -- setup --yes` and `npm --prefix '/my clone' run -s chest-index -- status`",
    ],
  ])("is what stands in a hint: %s, from %s", (script, cwd, expected) => {
    expect(typed(script, cwd, "`chest-index setup --yes` and `chest-index status`")).toBe(expected);
  });

  it("is no other package's script of that name", () => {
    const env = { ...npm("setup"), npm_package_name: "acme" };
    expect(ownName(env, "/n/dist/chest-index.js", NODE)).toEqual({ program: "chest-index" });
  });
});

it("repeats what was typed, but no token", () => {
  const name = { program: "x", words: ["setup", "--docker", "http://h:1", "t".repeat(40), "--client", "cursor"] };
  expect(typedHere("`chest-index … --yes`", name)).toBe("`x setup --docker 'http://h:1' --client cursor --yes`");
  expect(typedHere("`docker compose exec chest chest-index …`", { program: "x", words: ["up", "--check"] })).toBe(
    "`docker compose exec chest chest-index up --check`",
  );
});

it("finds the clone that a program lies in, and what starts a backend there", () => {
  const clone = join(bin, "a clone");
  mkdirSync(join(clone, "apps/mcp/dist"), { recursive: true });
  const script = join(clone, "apps/mcp/dist/chest-index.js");
  expect(startInClone(script, clone)).toBeUndefined();
  writeFileSync(join(clone, "package.json"), JSON.stringify({ name: "chest", scripts: { start: "x" } }));
  expect(startInClone(script, join(clone, "docs"))).toBe("npm start");
  expect(startInClone(script, bin)).toBe(`npm --prefix '${clone}' start`);
});

it("stands in every command of a hint, and in nothing else", () => {
  const hint = "`chest-index backup --list`; A=1 chest-index status; /bin/chest-index status; chest-index.js";
  expect(typedHere(hint, { program: "$& x" })).toBe(
    "`$& x backup --list`; A=1 $& x status; /bin/chest-index status; chest-index.js",
  );
  const inside = "`docker compose exec chest chest-index status`";
  expect(typedHere(inside, { program: "x" })).toBe(inside);
  const both = "`chest-index status`, or in a container `docker run x chest-index status`";
  expect(typedHere(both, { program: "x" })).toBe("`x status`, or in a container `docker run x chest-index status`");
});

it("stands before a flag of the whole program, and not before a placeholder", () => {
  expect(typedHere("`chest-index --help` shows what it takes", { program: "npm run -s chest-index --" })).toBe(
    "`npm run -s chest-index -- --help` shows what it takes",
  );
  expect(typedHere("usage: chest-index COMMAND [OPTIONS]", { program: "x" })).toBe(
    "usage: chest-index COMMAND [OPTIONS]",
  );
});

it("keeps the flags that were given, where the command takes them and has them not", () => {
  const keeps = ([command]: readonly string[]) =>
    command === "doctor"
      ? ([
          ["--remote-url", "http://h:1"],
          ["--token-file", "a b"],
        ] as const)
      : [];
  const name = { program: "chest-index", keeps };
  expect(typedHere("`chest-index doctor client --remote-url http://h:1` tells more", name)).toBe(
    "`chest-index doctor client --remote-url http://h:1 --token-file 'a b'` tells more",
  );
  expect(typedHere("chest-index doctor client; chest-index setup", name)).toBe(
    "chest-index doctor client --remote-url 'http://h:1' --token-file 'a b'; chest-index setup",
  );
});
