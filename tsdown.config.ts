import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { defineConfig, type UserConfig } from "tsdown";
import { hook } from "./deploy/bundle/hook.ts";
import { builtApart, builtinsAsTheyAre, pastBarrels, withoutAjv } from "./deploy/bundle/plugins.ts";

// What npm users install; the server and the tests run from source. Each program is a line that starts it, so that V8
// keeps what it compiles before anything else is read, and one file beside it with what it always needs. What it seldom
// needs is in few more, named for what it is.

const ALIASES = "apps/cli/src/aliases";
const OUTSIDE = ["better-sqlite3", "@huggingface/transformers"];

// Parsers that `chest_read_smart` loads when a file wants one; the packages that build them hold twenty megabytes more.
const resolveFor = createRequire(resolve("packages/files/package.json")).resolve;
const GRAMMARS = ["javascript", "typescript", "tsx", "python", "go", "rust", "java"];
const PARSERS = [
  resolveFor("web-tree-sitter/web-tree-sitter.wasm"),
  ...GRAMMARS.map((name) => resolveFor(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)),
  resolveFor("@cursorless/tree-sitter-wasms/out/tree-sitter-markdown.wasm"),
];

const bundled = {
  outDir: "apps/mcp/dist",
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false,
  minify: true,
  clean: false,
  // Its main file loads its parts by names that no bundler sees.
  alias: { "jsonc-parser": `${import.meta.dirname}/apps/cli/node_modules/jsonc-parser/lib/esm/main.js` },
  plugins: [builtinsAsTheyAre, withoutAjv, pastBarrels],
  // The parser's own, for libraries that none of its grammars brings.
  inputOptions: { checks: { eval: false }, preserveEntrySignatures: "allow-extension" },
  fixedExtension: false,
  hash: false,
  deps: {
    alwaysBundle: [/.*/],
    // Those with a binary in them: only local mode and the operator load the one, only who embeds the other.
    neverBundle: OUTSIDE,
    // A dependency that a manifest forgot does not resolve and would silently stay outside.
    onlyImport: OUTSIDE,
    onlyBundle: false,
  },
} satisfies UserConfig;

/** Four megabytes of nothing but data, the same for all who look into a store. */
const QUERY_COMPILER = { name: "prisma-query-compiler", test: /wasm-base64/, priority: 4 };
const PRISMA = /node_modules[\\/].*prisma|store-sqlite[\\/]src[\\/]generated/;

/** Modules that share a file; the higher goes first. */
interface Part {
  readonly name: string;
  readonly test?: RegExp;
  readonly tags?: ["$initial"];
  readonly priority?: number;
}

const files = (program: string, parts: readonly Part[]) => ({
  chunkFileNames: ({ name }: { readonly name: string }) =>
    name === "rolldown-runtime" ? `${program}.runtime.js` : "[name].js",
  codeSplitting: { groups: [QUERY_COMPILER, ...parts] },
});

/** What the agent's start wants is in the one file, and run at once; a store on this machine, and files that are read, are not. */
const client = defineConfig({
  ...bundled,
  clean: true,
  entry: { "chest-memory.main": "apps/mcp/src/program.ts" },
  outputOptions: files("chest-memory", [
    { name: "chest-memory.main", tags: ["$initial"], priority: 3 },
    { name: "chest-memory.prisma", test: PRISMA, priority: 2 },
    { name: "chest-memory.tree-sitter", test: /web-tree-sitter/, priority: 1 },
    { name: "chest-memory.network", test: /client[\\/]src[\\/]transport|node_modules[\\/].*undici/, priority: 1 },
    { name: "chest-memory.local-store", test: /./ },
  ]),
  copy: [
    ...["prisma/sqlite/migrations", "deploy/claude"].map((from) => ({ from, to: "apps/mcp/dist" })),
    { from: PARSERS, to: "apps/mcp/dist/grammars" },
  ],
});

/** A command runs little of the one file: what is imported late runs late. */
const commandLine = defineConfig({
  ...bundled,
  entry: { "chest-index.main": "apps/cli/src/program.ts" },
  inputOptions: {
    ...bundled.inputOptions,
    checks: { ...bundled.inputOptions.checks, ineffectiveDynamicImport: false },
  },
  outputOptions: {
    ...files("chest-index", [
      { name: "chest-index.prisma", test: PRISMA, priority: 1 },
      { name: "chest-index.main", test: /./ },
    ]),
    strictExecutionOrder: true,
  },
});

/** The line that starts a program, in a file of its own. */
const starter = (entry: Readonly<Record<string, string>>, main: string) =>
  defineConfig({
    ...bundled,
    entry,
    banner: ({ fileName }) => (fileName.replace(/\.js$/, "") in entry ? "#!/usr/bin/env node" : undefined),
    plugins: [builtApart("./program.ts", `./${main}.main.js`), ...bundled.plugins],
    outputOptions: { codeSplitting: { groups: [{ name: `${main}.start`, test: /./, minShareCount: 2 }] } },
  });

/** What runs in a thread, or a process, of its own. */
const thread = (entry: Pick<UserConfig, "entry">) =>
  defineConfig({ ...bundled, ...entry, outputOptions: { codeSplitting: false } });

export default [
  client,
  starter({ "chest-memory": "apps/mcp/src/main.ts" }, "chest-memory"),
  commandLine,
  starter(
    {
      "chest-index": "apps/cli/src/main.ts",
      // 1.5's names of commands, a file each.
      ...Object.fromEntries(
        readdirSync(ALIASES)
          .filter((file) => !file.endsWith(".test.ts"))
          .map((file) => [file.replace(/\.ts$/, ""), `${ALIASES}/${file}`]),
      ),
    },
    "chest-index",
  ),
  thread({ entry: { "search-worker": "packages/store-sqlite/src/threads/search-worker.ts" } }),
  thread({ entry: { "lifecycle-worker": "packages/store-sqlite/src/lifecycle/worker.ts" } }),
  thread({ entry: { "integrity-check-process": "packages/store-sqlite/src/integrity/integrity-check-process.ts" } }),
  thread({ entry: { "model-worker": "packages/models/src/worker.ts" } }),
  hook,
];
