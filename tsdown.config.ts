import { createHash } from "node:crypto";
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";
import { defineConfig, type UserConfig } from "tsdown";

const ALIASES = "apps/cli/src/aliases";

const CLIENT = { "chest-memory": "apps/mcp/src/main.ts" };

const PROGRAMS: Readonly<Record<string, string>> = {
  "chest-index": "apps/cli/src/main.ts",
  // 1.5's names of commands, a file each.
  ...Object.fromEntries(
    readdirSync(ALIASES)
      .filter((file) => !file.endsWith(".test.ts"))
      .map((file) => [file.replace(/\.ts$/, ""), `${ALIASES}/${file}`]),
  ),
};

const OUTSIDE = ["better-sqlite3", "@huggingface/transformers"];

/**
 * Imported as a module, a part of Node shows all its exports at once, and `node:fs` loads its streams for that, `node:http`
 * a whole fetch: 30 ms of an agent's start. Asked for directly, it loads what is used.
 */
const builtinsAsTheyAre = {
  name: "builtins-as-they-are",
  // The bundler's own runtime asks for `node:module`: left alone, or it would wait for itself.
  resolveId: (id: string, _importer: string | undefined, { kind }: { kind: string }) =>
    kind === "import-statement" && isBuiltin(id) && !/^(node:)?module$/.test(id)
      ? `\0builtin:${id.replace(/^node:/, "")}`
      : null,
  load: (id: string) => (id.startsWith("\0builtin:") ? builtinAsModule(id.slice(9)) : null),
};

/** Each export is a pure expression of its own, so what nobody imports is shaken off and never read. */
function builtinAsModule(name: string): string {
  const exported = Object.keys(process.getBuiltinModule(`node:${name}`) ?? {}).filter(
    (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default",
  );
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(`node:${name}`)});`,
    "export default builtin;",
    ...exported.map(
      (key, at) => `const e${at} = /* @__PURE__ */ (() => builtin.${key})();\nexport { e${at} as ${key} };`,
    ),
  ].join("\n");
}

/** Functions alone are asked of it here, and much is behind it: it waits for the first call. */
const cryptoWhenCalled = {
  name: "crypto-when-called",
  resolveId: (id: string) => (/^(node:)?crypto$/.test(id) ? "\0late-crypto" : null),
  load: (id: string) => (id === "\0late-crypto" ? CRYPTO_CALLS : null),
};
const CRYPTO_CALLS = ["createHash", "hash", "randomBytes", "randomUUID", "randomUUIDv7", "timingSafeEqual"]
  .map((name) => `export const ${name} = (...given) => process.getBuiltinModule("node:crypto").${name}(...given);`)
  .join("\n");

/** The SDK loads Ajv for servers that bring no validator; ours does. */
const withoutAjv = {
  name: "without-ajv",
  resolveId: (id: string) => (id.endsWith("/validation/ajv-provider.js") ? "\0no-ajv" : null),
  load: (id: string) => (id === "\0no-ajv" ? "export class AjvJsonSchemaValidator {}" : null),
};

// Parsers that `chest_read_smart` loads when a file wants one; the packages that build them hold twenty megabytes more.
const resolveFor = createRequire(resolve("packages/files/package.json")).resolve;
const GRAMMARS = ["javascript", "typescript", "tsx", "python", "go", "rust", "java"];
const PARSERS = [
  resolveFor("web-tree-sitter/web-tree-sitter.wasm"),
  ...GRAMMARS.map((name) => resolveFor(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)),
  resolveFor("@cursorless/tree-sitter-wasms/out/tree-sitter-markdown.wasm"),
];

/** What the barrels of our packages export, by the file that it is in. */
const inBarrels = new Map(
  ["contracts", "core"].map((name) => [`@chest/${name}`, exportsOf(resolve(`packages/${name}/src/index.ts`))]),
);

function exportsOf(barrel: string): Map<string, string> {
  const lines = readFileSync(barrel, "utf8").matchAll(/export (?:\*|\{([^}]+)\}) from "(.+)";/g);
  return new Map(
    [...lines].flatMap(([, named, from = ""]) => {
      const file = resolve(dirname(barrel), from);
      const own = readFileSync(file, "utf8").matchAll(/^export (?:async )?(?:const|function|class|let)\*? (\w+)/gm);
      const names = named ? named.split(",") : [...own].map(([, name = ""]) => name);
      return names.map((name) => [name.replace(/\btype\b/, "").trim(), file] as const);
    }),
  );
}

/** Imports from where things are: through a barrel, whatever it holds is made when one thing of it is used. */
const pastBarrels = {
  name: "past-barrels",
  transform: (code: string, id: string) =>
    id.endsWith(".ts")
      ? code.replace(/import \{([^}]+)\} from "(@chest\/\w+)";/g, (all, names: string, barrel: string) => {
          const files = inBarrels.get(barrel);
          const used = names.split(",").map((name) => name.trim());
          const values = used.filter((name) => name !== "" && !name.startsWith("type "));
          if (!files) return all;
          return values.map((name) => `import { ${name} } from ${JSON.stringify(files.get(name))};`).join("");
        })
      : null,
};

const isProgram = ({ fileName }: { readonly fileName: string }) =>
  fileName.replace(/\.js$/, "") in { ...PROGRAMS, ...CLIENT };

/** What npm users install; the server and the tests run from source. */
const installed = {
  outDir: "apps/mcp/dist",
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false,
  // Its main file loads its parts by names that no bundler sees.
  alias: { "jsonc-parser": `${import.meta.dirname}/apps/cli/node_modules/jsonc-parser/lib/esm/main.js` },
  plugins: [builtinsAsTheyAre, withoutAjv],
  // The parser's own, for libraries that none of its grammars brings.
  inputOptions: { checks: { eval: false } },
  fixedExtension: false,
  // Stable names: what imports lazily is named the same in every build.
  hash: false,
  banner: (chunk) => (isProgram(chunk) ? "#!/usr/bin/env node" : undefined),
  deps: {
    alwaysBundle: [/.*/],
    // Those with a binary in them: only local mode and the operator load the one, only who embeds the other.
    neverBundle: OUTSIDE,
    // A dependency that a manifest forgot does not resolve and would silently stay outside.
    onlyImport: OUTSIDE,
    onlyBundle: false,
  },
} satisfies UserConfig;

const programs = defineConfig({
  ...installed,
  entry: {
    ...PROGRAMS,
    "search-worker": "packages/store-sqlite/src/search/worker.ts",
    "lifecycle-worker": "packages/store-sqlite/src/lifecycle/worker.ts",
    "vet-program": "packages/store-sqlite/src/vet-program.ts",
    "model-worker": "packages/models/src/worker.ts",
  },
  copy: [
    ...["prisma/sqlite/migrations", "deploy/claude"].map((from) => ({ from, to: "apps/mcp/dist" })),
    { from: PARSERS, to: "apps/mcp/dist/grammars" },
  ],
});

/**
 * The one that starts with every agent is built by itself: sharing its parts with the others it would read and run what
 * only they use, a fifth of its start. What is nothing but data is the same file in both.
 */
const client = defineConfig({
  ...installed,
  entry: CLIENT,
  clean: false,
  minify: true,
  plugins: [...installed.plugins, pastBarrels],
  outputOptions: { chunkFileNames: ({ name }) => (name.endsWith(".wasm-base64") ? "[name].js" : "memory-[name].js") },
});

/** A hook puts together what it asks and parses nothing: the schemas are shaken off, and what they are made with is not loaded. */
const withoutZod = {
  name: "without-zod",
  resolveId: (id: string) => (id === "zod" ? "\0no-zod" : null),
  load: (id: string) => (id === "\0no-zod" ? "export const z = undefined;" : null),
};

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

const HOOK = "apps/mcp/dist/chest-hook.mjs";
const UNWRAPPED = "apps/mcp/dist/chest-hook.iife.js";

/** What the agent's events run: one file that is copied to the data folder, with nothing beside it. */
const hook = defineConfig({
  entry: { "chest-hook": "apps/hooks/src/main.ts" },
  outDir: "apps/mcp/dist",
  clean: false,
  format: "iife",
  platform: "node",
  target: "node20",
  dts: false,
  minify: true,
  alias: { "better-sqlite3": `${import.meta.dirname}/apps/hooks/src/node-sqlite.ts` },
  define: { CHEST_MIGRATIONS: JSON.stringify(migrations()) },
  plugins: [cryptoWhenCalled, builtinsAsTheyAre, pastBarrels, withoutZod],
  // What finds its threads beside itself starts none in a hook.
  inputOptions: { checks: { emptyImportMeta: false } },
  outputOptions: { codeSplitting: false },
  // What an event does not ask for is neither there nor run.
  treeshake: { moduleSideEffects: false, manualPureFunctions: ["z", "defineTool", "defineEndpoint"] },
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  copy: [{ from: "apps/hooks/src/aliases/*", to: "apps/mcp/dist", flatten: true }],
  hooks: { "build:done": wrapHook },
});

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

export default [programs, client, hook];
