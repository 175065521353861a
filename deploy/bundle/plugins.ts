import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, resolve } from "node:path";
import type { Rolldown } from "tsdown";

// Filters are the bundler's own: without them it would ask a function of ours about every import of two thousand modules.

/** Leaves a late import to a file of its own, built by itself. */
export const builtApart = (source: string, file: string) => ({
  name: "built-apart",
  resolveId: {
    filter: { id: new RegExp(`^${source.replaceAll(".", "\\.")}$`) },
    handler: (_id: string, _importer: string | undefined, { kind }: { kind: string }) =>
      kind === "dynamic-import" ? { id: file, external: true } : null,
  },
});

const BUILTINS = new RegExp(`^(?:node:.+|${builtinModules.join("|")})$`);

/**
 * Imported as a module, a part of Node shows all its exports at once, and `node:fs` loads its streams for that, `node:http`
 * a whole fetch: 30 ms of an agent's start. Asked for directly, it loads what is used.
 */
export const builtinsAsTheyAre = {
  name: "builtins-as-they-are",
  resolveId: {
    // The bundler's own runtime asks for `node:module`: left alone, or it would wait for itself.
    filter: { id: { include: BUILTINS, exclude: /^(?:node:)?module$/ } },
    handler: (id: string, _importer: string | undefined, { kind }: { kind: string }) =>
      kind === "import-statement" ? `\0builtin:${id.replace(/^node:/, "")}` : null,
  },
  load: { filter: { id: /^\0builtin:/ }, handler: (id: string) => builtinAsModule(id.slice(9)) },
};

/** Each export is a pure expression of its own, so unused ones are removed and never read. */
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

/** A module of a few lines in the place of another. */
const instead = (name: string, of: RegExp, code: string) => ({
  name,
  resolveId: { filter: { id: of }, handler: () => `\0${name}` },
  load: { filter: { id: new RegExp(`^\0${name}$`) }, handler: () => code },
});

const CRYPTO_CALLS = ["createHash", "hash", "randomBytes", "randomUUID", "randomUUIDv7", "timingSafeEqual"]
  .map((name) => `export const ${name} = (...given) => process.getBuiltinModule("node:crypto").${name}(...given);`)
  .join("\n");

/** Functions alone are asked of it here, and much is behind it: it waits for the first call. */
export const cryptoWhenCalled = instead("crypto-when-called", /^(?:node:)?crypto$/, CRYPTO_CALLS);

/** Both SDKs load Ajv for servers that bring no validator; ours does. */
export const withoutAjv = instead(
  "without-ajv",
  /\/(?:validation\/ajv-provider\.js|ajvProvider-[\w-]+\.mjs)$/,
  "export class AjvJsonSchemaValidator {}\nexport { AjvJsonSchemaValidator as n };",
);

/** Fastify loads compilers of schemas before an app can say that it has its own. */
export const withoutCompilers = instead(
  "without-compilers",
  /^@fastify\/(?:ajv|fast-json-stringify)-compiler$/,
  "module.exports = () => undefined;",
);

/**
 * Loaded by plugins for settings that the backend does not use: listing a folder's files, addresses as a rate limit's keys,
 * metrics of the process.
 */
export const withoutUnused = instead(
  "without-unused",
  /^(?:glob|ip-address|\.\/lib\/defaultMetrics)$/,
  "module.exports = {};",
);

/** A hook and a thread put together what they ask and parse nothing: the schemas are shaken off, and what they are made with is not loaded. */
export const withoutZod = instead("without-zod", /^zod$/, "export const z = undefined;");

/** Refuses a bundle without zod that still makes a schema as it starts: it would end its thread at once. */
export const noSchemaLeft = {
  name: "no-schema-left",
  generateBundle(this: Rolldown.PluginContext, _options: unknown, bundle: Rolldown.OutputBundle) {
    for (const part of Object.values(bundle))
      if (part.type === "chunk" && part.code.includes("(void 0)."))
        this.error(`${part.fileName} makes a schema as it starts: begin it with \`z\`, as in \`z.optional(schema)\``);
  },
};

/** Refuses a backend whose file of one engine loads that of the other. */
export const enginesApart = {
  name: "engines-apart",
  generateBundle(this: Rolldown.PluginContext, _options: unknown, bundle: Rolldown.OutputBundle) {
    const engines = ["sqlite.js", "postgres.js"];
    for (const name of engines) {
      const part = bundle[name];
      if (part?.type !== "chunk") this.error(`there is no ${name}: engines are loaded when a store is opened`);
      const other = part.imports.find((file) => engines.includes(file));
      if (other) this.error(`${name} imports ${other}: what both use belongs to the group \`core\``);
    }
  },
};

/**
 * The page that shows the API is a text of four megabytes in its package: it becomes a file that no start has to parse.
 */
export const pageBeside = {
  name: "page-beside",
  transform: {
    filter: { id: /fastify-api-reference/ },
    handler(this: Rolldown.PluginContext, code: string) {
      return code.replace(/^var standalone_default = (".+");$/m, (_, text: string) => {
        this.emitFile({ type: "asset", fileName: "docs-page.txt", source: new Function(`return ${text}`)() });
        return `var standalone_default = ${READ_PAGE};`;
      });
    },
  },
};
const READ_PAGE = 'process.getBuiltinModule("node:fs").readFileSync(new URL("docs-page.txt", import.meta.url), "utf8")';

const BARRELS = ["client", "contracts", "core", "models", "runtime", "store-sqlite", "mcp-server"];

/** Exports of our packages' barrels and doors, each with the file that it is in. */
const inBarrels = new Map(BARRELS.flatMap((name) => doorsOf(name).map(([door, file]) => [door, exportsOf(file)])));

/** The barrel of a package, or the doors of core, by the names that imports give them; each with its file. */
function doorsOf(name: string): (readonly [string, string])[] {
  const folder = resolve("packages", name);
  const { exports } = JSON.parse(readFileSync(resolve(folder, "package.json"), "utf8"));
  return Object.entries<string>(exports)
    .filter(([door]) => door === "." || (name === "core" && !door.includes("*")))
    .map(([door, file]) => [`@chest/${name}${door.slice(1)}`, resolve(folder, file)]);
}

function exportsOf(file: string): Map<string, string> {
  const code = readFileSync(file, "utf8");
  const own = [...code.matchAll(/^export (?:async )?(?:const|function|class|let)\*? (\w+)/gm)];
  const others = [...code.matchAll(/export (?:\*|\{([^}]+)\}) from "(.+)";/g)].flatMap(([, named, from = ""]) => {
    const there = resolve(dirname(file), from);
    const names = named?.split(",").map((name) => name.replace(/\btype\b/, "").trim());
    return names?.map((name) => [name, there] as const) ?? [...exportsOf(there)];
  });
  return new Map([...own.map(([, name = ""]) => [name, file] as const), ...others]);
}

/** Resolves imports to the files that define them: a barrel would bring in all that it exports. */
export const pastBarrels = {
  name: "past-barrels",
  transform: {
    filter: { id: /\.ts$/, code: /from "@chest\// },
    handler: (code: string) =>
      code.replace(/import \{([^}]+)\} from "(@chest\/[\w/-]+)";/g, (all, names: string, barrel: string) => {
        const files = inBarrels.get(barrel);
        const used = names.split(",").map((name) => name.trim());
        const values = used.filter((name) => name !== "" && !name.startsWith("type "));
        if (!files) return all;
        return values
          .map((name) => `import { ${name} } from ${JSON.stringify(files.get(name.split(" ")[0] ?? "") ?? barrel)};`)
          .join("");
      }),
  },
};
