import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqliteApp } from "../testing/sqlite-app.ts";

type Schema = { readonly [key: string]: unknown };
interface Operation {
  readonly tags: readonly string[];
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

const PACKAGE = join(import.meta.dirname, "../../../../packages/sdk-python");
const JSON_TYPE = "application/json";
/** First argument of each Python method, which may be passed by position. */
const FIRST: Readonly<Record<string, string>> = {
  Remember: "content",
  Recall: "query",
  RecallFile: "path_substring",
  UpdateMemory: "memory_id",
  Inspect: "view",
};
/** Keywords of JSON Schema without a counterpart in Python's types. */
const NO_TYPE =
  /^(?:description|default|minimum|maximum|exclusiveM\w+|minLength|maxLength|minItems|maxItems|pattern|format|propertyNames|fromClients)$/;

// After a route has changed, `npm run unit -- sdk-python -u` writes the schemas anew; `make/models.sh` then writes the
// types.
it("agrees with the schemas that the Python client is made of", async () => {
  const backend = await openSqliteApp();
  const { paths } = (await backend.app.inject("/openapi.json")).json() as {
    paths: Record<string, Record<string, Operation>>;
  };
  await backend.close();

  const schemas: Record<string, Schema> = {};
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.tags.includes("documentation") || path === "/mcp" || path.includes("/_")) continue;
      Object.assign(schemas, schemasOf(method, path, operation));
    }
  }
  const document = { openapi: "3.1.0", info: { title: "Chest", version: "1" }, paths: {}, components: { schemas } };

  await expect(`${JSON.stringify(document, null, 1)}\n`).toMatchFileSnapshot(join(PACKAGE, "generated/schemas.json"));
});

it("has types that were generated from these schemas", () => {
  const schemas = readFileSync(join(PACKAGE, "generated/schemas.json"));
  const digest = createHash("sha256").update(schemas).digest("hex");
  expect(readFileSync(join(PACKAGE, "chest_memory/models.py"), "utf8")).toContain(digest);
});

it("has the version of the published client", () => {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "../../apps/mcp/package.json"), "utf8"));
  expect(readFileSync(join(PACKAGE, "pyproject.toml"), "utf8")).toContain(`version = "${version}"`);
});

function schemasOf(method: string, path: string, operation: Operation): Record<string, Schema> {
  const name = nameOf(method, path);
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const answer = operation.responses["200"]?.content?.[JSON_TYPE]?.schema;
  const query = operation.parameters?.filter((parameter) => parameter.in === "query") ?? [];
  const found: Record<string, Schema | undefined> = {
    [`${name}Request`]: body,
    [`${name}Query`]: query.length > 0 ? objectOf(query) : undefined,
  };
  if (path.startsWith("/api/tools/")) {
    found[`${name}Result`] = propertiesOf(answer).result;
    const first = FIRST[name];
    if (first !== undefined && body) found[`${name}Options`] = without(body, first);
    if (first === "view") found.View = propertiesOf(body).view;
  } else found[`${name}Response`] = answer;
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, schema]) => (schema === undefined ? [] : [[key, typeOnly(schema) as Schema]])),
  );
}

/** Names a type: `Recall` for the tool `chest_recall`, `GetMemoriesId` for `GET /api/memories/{id}`. */
function nameOf(method: string, path: string): string {
  const words = path.replace(/^\/api\/(?:tools\/chest_)?/, "/");
  const name = words.replace(/[^a-zA-Z]+(.?)/g, (_whole, letter: string) => letter.toUpperCase());
  return path.startsWith("/api/tools/") ? name : method[0]?.toUpperCase() + method.slice(1) + name;
}

const propertiesOf = (schema: Schema | undefined) => (schema?.properties ?? {}) as Readonly<Record<string, Schema>>;

const objectOf = (query: NonNullable<Operation["parameters"]>): Schema => ({
  type: "object",
  properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
  required: query.filter(({ required }) => required).map(({ name }) => name),
});

function without({ properties, required, ...body }: Schema, name: string): Schema {
  const { [name]: _, ...rest } = properties as Record<string, Schema>;
  return { ...body, properties: rest, required: ((required ?? []) as string[]).filter((each) => each !== name) };
}

/** Strips limits and texts from a schema. An object with further fields keeps those that are named. */
function typeOnly(schema: unknown, isNames = false): unknown {
  // Fields that begin with an underscore are meant for language models, so Python's types omit them.
  if (Array.isArray(schema)) return schema.filter((each) => !/^_/.test(String(each))).map((each) => typeOnly(each));
  if (typeof schema !== "object" || schema === null) return schema;
  const hasFields = !isNames && "properties" in schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) =>
        isNames ? !key.startsWith("_") : !(NO_TYPE.test(key) || (hasFields && key === "additionalProperties")),
      )
      .map(([key, value]) => [key, typeOnly(value, !isNames && key === "properties")]),
  );
}
