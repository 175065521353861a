import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";

/** Leaves a late import to a file of its own, built by itself. */
export const builtApart = (source: string, file: string) => ({
  name: "built-apart",
  resolveId: (id: string, _importer: string | undefined, { kind }: { kind: string }) =>
    kind === "dynamic-import" && id === source ? { id: file, external: true } : null,
});

/**
 * Imported as a module, a part of Node shows all its exports at once, and `node:fs` loads its streams for that, `node:http`
 * a whole fetch: 30 ms of an agent's start. Asked for directly, it loads what is used.
 */
export const builtinsAsTheyAre = {
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
export const cryptoWhenCalled = {
  name: "crypto-when-called",
  resolveId: (id: string) => (/^(node:)?crypto$/.test(id) ? "\0late-crypto" : null),
  load: (id: string) => (id === "\0late-crypto" ? CRYPTO_CALLS : null),
};
const CRYPTO_CALLS = ["createHash", "hash", "randomBytes", "randomUUID", "randomUUIDv7", "timingSafeEqual"]
  .map((name) => `export const ${name} = (...given) => process.getBuiltinModule("node:crypto").${name}(...given);`)
  .join("\n");

/** The SDK loads Ajv for servers that bring no validator; ours does. */
export const withoutAjv = {
  name: "without-ajv",
  resolveId: (id: string) => (id.endsWith("/validation/ajv-provider.js") ? "\0no-ajv" : null),
  load: (id: string) => (id === "\0no-ajv" ? "export class AjvJsonSchemaValidator {}" : null),
};

/** Exports of our packages' barrels, by the file that defines them. */
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
export const pastBarrels = {
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

/** A hook puts together what it asks and parses nothing: the schemas are shaken off, and what they are made with is not loaded. */
export const withoutZod = {
  name: "without-zod",
  resolveId: (id: string) => (id === "zod" ? "\0no-zod" : null),
  load: (id: string) => (id === "\0no-zod" ? "export const z = undefined;" : null),
};
