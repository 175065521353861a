import { expect, it } from "vitest";
import { isRunnersCopy, lastingPath, programPlaces } from "./programs.ts";

it.each([
  ["/home/dev/.npm/_npx/0a1b/node_modules/chest-memory/dist/chest-memory.js", true],
  ["C:\\Users\\Dev\\AppData\\Local\\npm-cache\\_npx\\0a1b\\node_modules\\chest-memory\\dist\\chest-memory.js", true],
  ["/home/dev/.cache/pnpm/dlx/0a1b/1/node_modules/.pnpm/chest-memory@1.0.0/node_modules/chest-memory/dist/x.js", true],
  ["/tmp/bunx-1000-chest-memory@latest/node_modules/chest-memory/dist/chest-memory.js", true],
  ["/usr/lib/node_modules/chest-memory/dist/chest-memory.js", false],
  ["/home/dev/my_npx/chest/apps/mcp/dist/chest-memory.js", false],
  ["C:\\Users\\Dev\\AppData\\Roaming\\npm\\node_modules\\chest-memory\\dist\\chest-memory.js", false],
])("knows what a package runner clears: %s", (path, expected) => {
  expect(isRunnersCopy(path)).toBe(expected);
});

it.each([
  ["linux", { PATH: "/usr/bin::/home/dev/my bin" }, ["/usr/bin/node", "/home/dev/my bin/node"]],
  ["darwin", { PATH: "/opt/homebrew/bin" }, ["/opt/homebrew/bin/node"]],
  [
    "win32",
    { Path: "C:\\Program Files\\nodejs;D:\\bin" },
    ["C:\\Program Files\\nodejs\\node", "D:\\bin\\node"].flatMap((file) => [`${file}.exe`, `${file}.cmd`, file]),
  ],
  ["win32", { PATH: "", Path: "C:\\nodejs" }, []],
  ["linux", {}, []],
] as const)("looks for a program where %s does", (platform, env, places) => {
  expect(programPlaces("node", env, platform)).toEqual(places);
});

it.each([
  ["linux", { PATH: "/h/.npm/_npx/1/node_modules/.bin:/clone/node_modules/.bin:/usr/bin" }, "/usr/bin"],
  ["win32", { Path: "C:\\npm-cache\\_npx\\1\\node_modules\\.bin;C:\\nodejs" }, "C:\\nodejs"],
] as const)("leaves a package runner's folders out of the path: %s", (platform, env, path) => {
  expect(lastingPath(env, platform)).toBe(path);
});
