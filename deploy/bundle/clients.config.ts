import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { defineConfig, type UserConfig } from "tsdown";
import { hook } from "./hook.ts";
import { builtApart } from "./plugins.ts";
import { bundled, MODELS, refuseOldNode } from "./shared.ts";
import { THREADS } from "./threads.ts";

// Bundles for npm users; tests and development run from source. Each program is a line that starts it, so that V8 keeps
// the compiled code before anything else is read, and one file beside it with what it always needs. Code that it seldom
// needs lies in few more files with plain names. Made after the backend, whose threads a store on this machine needs,
// too.

const ALIASES = "apps/cli/src/aliases";

// Parsers that `chest_read_smart` loads when a file wants one; the packages that build them hold twenty megabytes more.
const resolveFor = createRequire(resolve("packages/files/package.json")).resolve;
const GRAMMARS = ["javascript", "typescript", "tsx", "python", "go", "rust", "java"];
const PARSERS = [
  resolveFor("web-tree-sitter/web-tree-sitter.wasm"),
  ...GRAMMARS.map((name) => resolveFor(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)),
  resolveFor("@cursorless/tree-sitter-wasms/out/tree-sitter-markdown.wasm"),
];

const published = {
  ...bundled,
  outDir: "apps/mcp/dist",
  // Its main file loads its parts by names that no bundler sees.
  alias: { "jsonc-parser": resolve("apps/cli/node_modules/jsonc-parser/lib/esm/main.js") },
  // The parser's own, for libraries that none of its grammars brings.
  inputOptions: { checks: { eval: false }, preserveEntrySignatures: "allow-extension" },
} satisfies UserConfig;

/** MCP without a handshake, for those few hosts that open with it. */
const SESSIONLESS = /mcp-server[\\/]src[\\/]without-sessions|@modelcontextprotocol\+(?:server|core)@/;

/** Libraries that ask a language model. */
const LANGUAGE_MODEL = /node_modules[\\/].*(?:@ai-sdk[+\\/]|[\\/]ai@)/;

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
  codeSplitting: { groups: [...parts] },
});

/** Bundle of the stdio client: an agent's start runs one file; a store on this machine, and reading files, have their own. */
const client = defineConfig({
  ...published,
  clean: true,
  entry: { "chest-memory.main": "apps/mcp/src/program.ts" },
  outputOptions: files("chest-memory", [
    { name: "chest-memory.main", tags: ["$initial"], priority: 3 },
    { name: "chest-memory.tree-sitter", test: /web-tree-sitter/, priority: 1 },
    { name: "chest-memory.without-sessions", test: SESSIONLESS, priority: 1 },
    { name: "chest-memory.language-model", test: LANGUAGE_MODEL, priority: 1 },
    { name: "chest-memory.network", test: /client[\\/]src[\\/]transport|node_modules[\\/].*undici/, priority: 1 },
    { name: "chest-memory.local-store", test: /./ },
  ]),
  copy: [
    ...["prisma/sqlite/migrations", "deploy/claude", "deploy/launcher"].map((from) => ({ from, to: "apps/mcp/dist" })),
    { from: "prisma/postgres/migrations", to: "apps/mcp/dist", rename: "migrations-postgres" },
    { from: PARSERS, to: "apps/mcp/dist/grammars" },
    ...MODELS.map((from) => ({ from, to: "apps/mcp/dist" })),
    { from: THREADS.map((name) => `apps/server/dist/${name}.js`), to: "apps/mcp/dist", flatten: true },
  ],
});

/** A command runs little of the one file: what is imported late runs late. */
const commandLine = defineConfig({
  ...published,
  entry: { "chest-index.main": "apps/cli/src/program.ts" },
  inputOptions: {
    ...published.inputOptions,
    checks: { ...published.inputOptions.checks, ineffectiveDynamicImport: false },
  },
  outputOptions: {
    ...files("chest-index", [
      {
        name: "chest-index.postgres",
        test: /store-postgres[\\/]src|[\\/](pg(-[a-z]+)?|postgres-[a-z]+)[\\/]/,
        priority: 1,
      },
      { name: "chest-index.main", test: /./ },
    ]),
    strictExecutionOrder: true,
  },
});

const banners = (names: readonly string[], main: string) => (fileName: string) => {
  const name = fileName.replace(/\.js$/, "");
  // Where several programs start from one file, that one runs first.
  const first = names.length > 1 ? `${main}.start` : main;
  const lines = [
    ...(names.includes(name) ? ["#!/usr/bin/env node"] : []),
    ...(name === first ? [refuseOldNode(main, "20.19")] : []),
  ];
  return lines.length === 0 ? undefined : lines.join("\n");
};

/** The line that starts a program, in a file of its own. */
const starter = (entry: Readonly<Record<string, string>>, main: string) =>
  defineConfig({
    ...published,
    entry,
    banner: ({ fileName }) => banners(Object.keys(entry), main)(fileName),
    plugins: [builtApart("./program.ts", `./${main}.main.js`), ...bundled.plugins],
    outputOptions: { codeSplitting: { groups: [{ name: `${main}.start`, test: /./, minShareCount: 2 }] } },
  });

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
  // For those who build agents: texts, and nothing that runs.
  defineConfig({
    ...published,
    entry: { prompts: "apps/mcp/src/prompts.ts" },
    outputOptions: { codeSplitting: false },
  }),
  hook,
];
