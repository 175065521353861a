import { join } from "node:path";
import { normalizeArguments } from "@chest/core/arguments";
import { isObject } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import Database from "better-sqlite3";
import fc from "fast-check";
import type { z } from "zod";
import type { Backend } from "../../support/backend.ts";
import { findFaults } from "../../support/store-file.ts";
import { operate, patientDoor, storeAll } from "../common.ts";
import {
  type ApiAddress,
  documented,
  type Operation,
  overMcp,
  type Request,
  requestsOf,
  send,
  spoiltRequestsOf,
} from "../operations.ts";
import type { Edit, Part, Rig } from "../part.ts";

interface Target extends ApiAddress {
  readonly store: Database.Database;
  readonly counts: Record<"accepted" | "refused", number>;
}

const ROOT_SCOPES = "read,write,operate,admin";
const CHANGED_BY_CALLS = [
  "memories",
  "memory_versions",
  "memory_tags",
  "memory_links",
  "entities",
  "sessions",
  "session_snapshots",
  "file_snapshots",
  "members",
  "tokens",
  "projects",
  "vectors",
  "consolidations",
];
const STATE = `SELECT ${CHANGED_BY_CALLS.map((table) => `(SELECT count(*) FROM ${table})`).join(" || ' ' || ")}`;
const ENGINE_WORDS = /SQLITE|sqlite|no such (table|column)|\n\s+at |ZodError|TypeError|chest\.db/;

const UNCHECKED: Edit = {
  file: "packages/core/src/tool.ts",
  find: "const parsed = schema.safeParse(input, { error: issueWords });",
  put: `const checked = schema.safeParse(input, { error: issueWords });
                const parsed = checked.success ? checked : { success: true as const, data: input as z.output<S> };`,
};

/** Part that sends arbitrary requests. */
export const fuzz: Part = {
  name: "fuzz",
  does: "requests generated from the schemas of the OpenAPI document and of the MCP tools, half of them corrupted in one place",
  holds: [
    {
      says: "every answer matches the schema for its status, and a body that the document does not allow is refused",
      guards: [
        {
          name: "unknown fields are refused",
          edits: [
            { file: "packages/core/src/tool.ts", find: "input: tool.input.strict(),", put: "input: tool.input," },
          ],
          shows: /took what the document does not/,
        },
        {
          name: "every failure comes in the envelope",
          edits: [
            {
              file: "apps/server/src/plugins/errors.ts",
              find: "return reply.code(status).send(toEnvelope(failure));",
              put: "return reply.code(status).send({ failure: failure.message });",
            },
          ],
          shows: /is not the one that is documented/,
        },
      ],
    },
    {
      says: "none is a failure of the backend, and none shows the engine's words",
      guards: [
        {
          name: "arguments are checked before they are used",
          edits: [UNCHECKED],
          shows: /answered with 500|internal error|took what/,
        },
        {
          name: "a defect is reported without its cause",
          edits: [
            UNCHECKED,
            {
              file: "packages/contracts/src/errors.ts",
              find: '"the backend failed to answer this request"',
              put: '"the backend failed to answer this request: " + (cause as Error).name',
            },
          ],
          shows: /shows words of the engine/,
        },
      ],
    },
    {
      says: "a refusal has a code, a message and a hint, and changes nothing",
      guards: [
        {
          name: "a refused write is undone",
          edits: [
            {
              file: "packages/store-sqlite/src/database/write-queue.ts",
              find: 'if (db.inTransaction) this.#connection.run("ROLLBACK");',
              put: 'if (db.inTransaction) this.#connection.run("COMMIT");',
            },
          ],
          shows: /changed something/,
        },
        {
          name: "a refusal carries its hint",
          edits: [
            {
              file: "packages/contracts/src/envelope.ts",
              find: "...(hint === undefined ? {} : { hint }),",
              put: "",
            },
          ],
          shows: /a refusal without a hint/,
        },
      ],
    },
    {
      says: "the store is whole afterwards",
      guards: [
        {
          name: "the index drops a text with its row",
          edits: [
            {
              file: "packages/store-sqlite/src/full-text/text-rows.ts",
              find: "if (old) unindex(fts, id, old);",
              put: "",
            },
          ],
          shows: /text index/,
        },
      ],
    },
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
      url: backend.url,
      token: await rootToken(rig, dataDir),
      store: new Database(file, { readonly: true }),
      counts: { accepted: 0, refused: 0 },
    };
    const operations = [...(await documented(target)), ...(await overMcp(target))];
    for (const operation of operations) {
      if (rig.isShown(faults)) break;
      for (const requests of [requestsOf(operation), spoiltRequestsOf(operation)])
        faults.push(...(await tried(operation, requests, target, rig)));
    }
    const alive = await fetch(`${backend.url}/healthz`).catch(() => undefined);
    if (alive?.status === 200) await reword(backend);
    else faults.push("the backend does not answer any more");
    target.store.close();
    await backend.stop();
    // Purging deletes a memory but not the events about it, so events without a memory are no fault.
    faults.push(...findFaults(file).filter((fault) => !/events|event$/.test(fault)));
    return { figures: { operations: operations.length, ...target.counts }, faults };
  },
};

/** Changes a memory's text, because random requests may never do so; the old text must leave the index. */
async function reword(backend: Backend): Promise<void> {
  const [id] = (await storeAll(backend, ["the first words about the ferry"])).keys();
  const { error } = await patientDoor(backend).call("chest_update_memory", {
    memory_id: id,
    content: "others of the boat",
  });
  if (error) throw new Error(`the memory was not reworded: ${error.code}`);
}

async function rootToken(rig: Rig, dataDir: string): Promise<string> {
  await operate(rig, dataDir, "member", "add", "root", "--admin");
  const words = ["token", "create", "--member", "root", "--scopes", ROOT_SCOPES, "--json"];
  const { stdout, stderr } = await operate(rig, dataDir, ...words);
  const { token } = JSON.parse(stdout || "{}") as { token?: string };
  if (token === undefined) throw new Error(`no token: ${stderr}`);
  return token;
}

/** Runs requests, and reports the smallest request that shows a fault. */
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
  const response = await send(operation, request, target).catch(() => undefined);
  if (!response) return "the connection broke";
  const { status } = response;
  const text = await response.text();
  if (ENGINE_WORDS.test(text) && status >= 400) return "the answer shows words of the engine";
  if (status >= 500) return `answered with ${status}`;
  const answer = parsed(text);
  const { [String(status) in operation.answers ? status : "default"]: schema } = operation.answers;
  if (!schema && text !== "") return `the answer of ${status} is documented as empty`;
  if (schema && !schema.safeParse(answer).success)
    return `the answer of ${status} is not the one that is documented (${problemIn(schema, answer)})`;
  const refusal = refusalIn(status, answer);
  if (!refusal) {
    counts.accepted++;
    const { takes } = operation;
    const body = meantBy(operation, JSON.parse(JSON.stringify(request.body ?? null)));
    if (takes && !takes.safeParse(body).success) return `took what the document does not (${problemIn(takes, body)})`;
    return undefined;
  }
  counts.refused++;
  if (refusal.code === "INTERNAL_ERROR") return "answered with an internal error";
  if (typeof refusal.code === "string" && !refusal.hint) return `a refusal without a hint (${refusal.code})`;
  if (store.prepare(STATE).pluck().get() !== before) return `a refusal changed something (${refusal.code})`;
  return undefined;
}

/** Converts arguments as a tool does, which accepts forms that models write; the result must fit the documentation. */
function meantBy({ path }: Operation, body: unknown): unknown {
  const tool = TOOLS.find(({ name }) => path === `/api/tools/${name}`);
  return tool && isObject(body) ? normalizeArguments(tool.input, body) : body;
}

interface Refusal {
  readonly code?: unknown;
  readonly hint?: unknown;
}

/** Reads the refusal from the envelope, or from a tool's answer over MCP. */
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
