import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { z } from "zod";
import type { Backend } from "../support/backend.ts";
import { runCli } from "../support/cli.ts";
import { findFaults } from "../support/store-file.ts";
import { operatorOf, storeAll } from "./common.ts";
import { type Schema, spoilt, valuesOf } from "./from-schema.ts";
import type { Part, Rig } from "./part.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: { readonly "application/json"?: { readonly schema: Schema } };
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly takes: z.ZodType | undefined;
  readonly answers: Readonly<Record<string, z.ZodType | undefined>>;
}

interface Request {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

interface Target {
  readonly backend: Backend;
  readonly token: string;
  readonly store: Database.Database;
  readonly counts: Record<"accepted" | "refused", number>;
}

const ROOT_SCOPES = "read,write,operate,admin";
const CHANGED_BY_CALLS = [
  ...["memories", "memory_versions", "memory_tags", "memory_links", "entities", "sessions", "session_snapshots"],
  ...["file_snapshots", "members", "tokens", "projects", "vectors", "consolidations"],
];
const STATE = `SELECT ${CHANGED_BY_CALLS.map((table) => `(SELECT count(*) FROM ${table})`).join(" || ' ' || ")}`;
const ENGINE_WORDS = /SQLITE|sqlite|no such (table|column)|\n\s+at |ZodError|TypeError|chest\.db/;

/** Whatever a program can be brought to send. */
export const fuzz: Part = {
  name: "fuzz",
  does: "requests drawn from the schemas of the OpenAPI document and of the tools over MCP, half of them then spoilt in one place",
  holds: [
    "every answer is the one that is documented for its status, and a body that the document does not take is refused",
    "none is a failure of the backend, and none shows words of its engine",
    "a refusal has a code, a message and a hint, and changes nothing",
    "the store is whole afterwards",
  ],
  rounds: { long: 400, short: 12, unguarded: 40 },
  counted: "requests for each operation",

  async run(rig) {
    const faults: string[] = [];
    const dataDir = rig.folder();
    const backend = await rig.start({ dataDir });
    await storeAll(
      backend,
      Array.from({ length: 30 }, (_, at) => `the well number ${at} is deep`),
    );
    const file = join(dataDir, "chest.db");
    const target: Target = {
      ...{ backend, token: await rootToken(rig, dataDir), store: new Database(file, { readonly: true }) },
      counts: { accepted: 0, refused: 0 },
    };
    const operations = [...(await documented(backend)), ...(await overMcp(target))];
    for (const operation of operations) {
      if (rig.isShown(faults)) break;
      for (const requests of [requestsOf(operation), spoiltRequestsOf(operation)])
        faults.push(...(await tried(operation, requests, target, rig)));
    }
    const alive = await fetch(`${backend.url}/healthz`).catch(() => undefined);
    if (alive?.status !== 200) faults.push("the backend does not answer any more");
    target.store.close();
    await backend.stop();
    // Purging takes the memory and leaves what happened.
    faults.push(...findFaults(file).filter((fault) => !/events|event$/.test(fault)));
    return { figures: { operations: operations.length, ...target.counts }, faults };
  },

  guards: [
    {
      name: "arguments are checked before they are used",
      edits: [
        {
          file: "packages/core/src/tool.ts",
          find: "const parsed = schema.safeParse(given);",
          put: `const checked = schema.safeParse(given);
            const parsed = checked.success ? checked : { success: true as const, data: given as z.output<S> };`,
        },
      ],
      shows: /answered with 500|internal error|took what/,
    },
    {
      name: "whatever fails is told in the envelope",
      edits: [
        {
          file: "apps/server/src/plugins/errors.ts",
          find: "return reply.code(status).send(toEnvelope(failure));",
          put: "return reply.code(status).send({ failure: failure.message });",
        },
      ],
      shows: /is not the one that is documented/,
    },
    {
      name: "a refused write is undone",
      edits: [
        {
          file: "packages/store-sqlite/src/writer.ts",
          find: 'if (db.inTransaction) this.#connection.run("ROLLBACK");',
          put: 'if (db.inTransaction) this.#connection.run("COMMIT");',
        },
      ],
      shows: /changed something/,
    },
  ],
};

async function rootToken(rig: Rig, dataDir: string): Promise<string> {
  await runCli(["member", "add", "root", "--admin"], operatorOf(rig, dataDir));
  const words = ["token", "create", "--member", "root", "--scopes", ROOT_SCOPES, "--json"];
  const { stdout, stderr } = await runCli(words, operatorOf(rig, dataDir));
  const { token } = JSON.parse(stdout || "{}") as { token?: string };
  if (token === undefined) throw new Error(`no token: ${stderr}`);
  return token;
}

/** What the document says there is, what takes things away for good last. */
async function documented({ url }: Backend): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, responses }]): Operation[] => {
      const answers = Object.entries(responses as Record<string, Content>).map(([status, answer]) => {
        const schema = schemaIn(answer);
        return [status, schema && checkOf(schema)] as const;
      });
      const body = requestBody === undefined ? undefined : schemaIn(requestBody as Content);
      // Pages and numbers for machines are no JSON.
      if (answers.every(([, schema]) => schema === undefined)) return [];
      return [
        {
          method: method.toUpperCase(),
          ...{
            path,
            body,
            takes: body && checkOf(body),
            answers: Object.fromEntries(answers),
            parameters: parameters as Parameter[],
          },
        },
      ];
    }),
  );
  const isLast = ({ method, path }: Operation) => Number(method === "DELETE") + Number(path === "/api/purge");
  return operations.sort((one, other) => isLast(one) - isLast(other));
}

const checkOf = (schema: Schema) => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

const schemaIn = ({ content }: Content): Schema | undefined => content?.["application/json"]?.schema;

/** A call of each tool as MCP has it; what is documented of the route holds for every one. */
async function overMcp({ backend, token }: Target): Promise<Operation[]> {
  const answer = await fetch(`${backend.url}/mcp`, {
    method: "POST",
    headers: headersFor(token),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const { result } = (await answer.json()) as { result: { tools: { name: string; inputSchema: Schema }[] } };
  const rpc = z.looseObject({ jsonrpc: z.literal("2.0") });
  return result.tools.map(({ name, inputSchema }) => {
    const params: Schema = {
      ...{ type: "object", required: ["name", "arguments"] },
      properties: { name: { const: name }, arguments: inputSchema },
    };
    const body: Schema = {
      ...{ type: "object", required: ["jsonrpc", "id", "method", "params"] },
      properties: { jsonrpc: { const: "2.0" }, id: { const: 1 }, method: { const: "tools/call" }, params },
    };
    return {
      method: "POST",
      path: "/mcp",
      parameters: [],
      body,
      takes: undefined,
      answers: { 200: rpc, default: z.unknown() },
    };
  });
}

const headersFor = (token: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  // Another session each time, which is noted with what it writes.
  "x-chest-session": randomUUID(),
});

function requestsOf({ parameters, body }: Operation): fc.Arbitrary<Request> {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return fc.record({
    parameters: valuesOf({ type: "object", properties, required }) as fc.Arbitrary<Record<string, unknown>>,
    body: body === undefined ? fc.constant(undefined) : valuesOf(body),
  });
}

function spoiltRequestsOf(operation: Operation): fc.Arbitrary<Request> {
  const whole = requestsOf(operation);
  const inParameters = spoilt(whole.map(({ parameters }) => parameters));
  const isObject = (value: unknown) => typeof value === "object" && value !== null;
  return fc.oneof(
    ...(operation.body === undefined ? [] : [fc.record({ ...EMPTY, body: spoilt(valuesOf(operation.body)) })]),
    fc
      .tuple(whole, inParameters)
      .map(([request, parameters]) => ({ ...request, ...(isObject(parameters) ? { parameters } : {}) }) as Request),
  );
}

const EMPTY = { parameters: fc.constant({ id: 1, name: "alice", sessionId: "s" }) };

/** What did not hold, for the smallest request that shows it. */
async function tried(operation: Operation, requests: fc.Arbitrary<Request>, target: Target, rig: Rig) {
  const property = fc.asyncProperty(requests, async (request) => {
    const fault = await faultOf(operation, request, target);
    if (fault !== undefined) throw new Error(fault);
  });
  const seed = Math.floor(rig.random() * 2 ** 31);
  const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: rig.rounds, seed });
  if (!failed) return [];
  const { message } = errorInstance as Error;
  const asked = rig.effort === "unguarded" ? "" : `, asked for ${JSON.stringify(counterexample?.[0])?.slice(0, 300)}`;
  return [`${operation.method} ${operation.path}: ${message}${asked}`];
}

async function faultOf(operation: Operation, request: Request, target: Target): Promise<string | undefined> {
  const { store, counts } = target;
  const before = store.prepare(STATE).pluck().get();
  const response = await sent(operation, request, target).catch(() => undefined);
  if (!response) return "the connection broke";
  const { status } = response;
  const text = await response.text();
  if (status >= 500) return `answered with ${status}`;
  if (ENGINE_WORDS.test(text) && status >= 400) return "the answer shows words of the engine";
  const answer = parsed(text);
  const { [String(status) in operation.answers ? status : "default"]: schema } = operation.answers;
  if (!schema && text !== "") return `the answer of ${status} is documented as empty`;
  if (schema && !schema.safeParse(answer).success)
    return `the answer of ${status} is not the one that is documented (${problemIn(schema, answer)})`;
  const refusal = refusalIn(status, answer);
  if (!refusal) {
    counts.accepted++;
    const { takes } = operation;
    const body = JSON.parse(JSON.stringify(request.body ?? null));
    if (takes && !takes.safeParse(body).success) return `took what the document does not (${problemIn(takes, body)})`;
    return undefined;
  }
  counts.refused++;
  if (refusal.code === "INTERNAL_ERROR") return "answered with an internal error";
  if (typeof refusal.code === "string" && !refusal.hint) return `a refusal without a hint (${refusal.code})`;
  if (store.prepare(STATE).pluck().get() !== before) return `a refusal changed something (${refusal.code})`;
  return undefined;
}

function sent(
  { method, path, parameters: known }: Operation,
  { parameters, body }: Request,
  { backend, token }: Target,
) {
  const given = (place: Parameter["in"]) =>
    known.flatMap(({ name, in: where }) =>
      where === place && name in parameters ? [[name, spoken(parameters[name])] as const] : [],
    );
  const address = given("path").reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(Object.fromEntries(given("query")));
  // What cannot stand in a header never leaves a client.
  const extra = given("header").map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, "?")]);
  return fetch(`${backend.url}${address}${query.size > 0 ? `?${query}` : ""}`, {
    ...{ method, headers: { ...headersFor(token), ...Object.fromEntries(extra) } },
    ...(method === "GET" || body === undefined ? {} : { body: JSON.stringify(body) ?? "" }),
  });
}

const spoken = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 4000).toWellFormed();

interface Refusal {
  readonly code?: unknown;
  readonly hint?: unknown;
}

/** Of the envelope, or of a tool's answer over MCP. */
function refusalIn(status: number, answer: unknown): Refusal | undefined {
  const { error, result } = (answer ?? {}) as {
    error?: Refusal;
    result?: { isError?: boolean; content?: { text: string }[] };
  };
  if (status >= 400 || error) return error ?? {};
  if (!result?.isError) return undefined;
  return (parsed(result.content?.[0]?.text ?? "") as { error?: Refusal } | undefined)?.error ?? {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const problemIn = (schema: z.ZodType, answer: unknown): string =>
  schema
    .safeParse(answer)
    .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
    .join("; ")
    .slice(0, 200) ?? "";
