import { expect, it } from "vitest";
import { isRunnersCopy } from "./programs.ts";

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
