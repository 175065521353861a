import { createHash } from "node:crypto";
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "tsdown";
import { builtinsAsTheyAre, cryptoWhenCalled, pastBarrels, withoutZod } from "./plugins.ts";
import { ROOT } from "./shared.ts";

const HOOK = "apps/mcp/dist/chest-hook.mjs";
const UNWRAPPED = "apps/mcp/dist/chest-hook.iife.js";

/** Bundle of the hook: one file that is copied to the data folder, with nothing beside it. */
export const hook = defineConfig({
  cwd: ROOT,
  entry: { "chest-hook": "apps/hooks/src/main.ts" },
  outDir: "apps/mcp/dist",
  clean: false,
  format: "iife",
  platform: "node",
  target: "node20",
  dts: false,
  minify: true,
  alias: { "better-sqlite3": resolve("apps/hooks/src/backend/node-sqlite.ts") },
  define: { CHEST_MIGRATIONS: JSON.stringify(migrations()) },
  plugins: [cryptoWhenCalled, builtinsAsTheyAre, pastBarrels, withoutZod],
  // A hook starts no threads, so it needs no address of its own.
  inputOptions: {
    checks: { emptyImportMeta: false },
    // Compiled when it is run: what is kept of an event's compiled code holds no module that the event leaves alone.
    optimization: { pifeForModuleWrappers: false },
  },
  outputOptions: { codeSplitting: false },
  // Code that an event does not need is neither included nor run.
  treeshake: { moduleSideEffects: false, manualPureFunctions: ["z", "defineTool", "defineEndpoint"] },
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  copy: [{ from: "apps/hooks/src/aliases/*", to: "apps/mcp/dist", flatten: true }],
  hooks: { "build:done": wrapHook },
});

/** The migrations of this release by name and hash: a hook makes none, and knows by them whether a store is its own. */
function migrations(): object[] {
  return readdirSync("prisma/sqlite/migrations")
    .filter((name) => /^\d{4}_/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(`prisma/sqlite/migrations/${name}/migration.sql`, "utf8");
      return { name, sql: "", sha256: createHash("sha256").update(sql).digest("hex") };
    });
}

/** Puts the program as a text into the file that compiles it once. */
function wrapHook(): void {
  // One character of another alphabet, and V8 holds and reads all of it at two bytes each.
  const program = readFileSync(UNWRAPPED, "utf8").replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const id = createHash("sha256").update(program).digest("hex").slice(0, 16);
  const loader = readFileSync("apps/hooks/src/loader.mjs", "utf8")
    .replace('const PROGRAM = "";', () => `const PROGRAM = ${JSON.stringify(program)};`)
    .replace('const ID = "";', `const ID = "${id}";`);
  writeFileSync(HOOK, loader);
  unlinkSync(UNWRAPPED);
}
