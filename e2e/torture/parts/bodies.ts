import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Backend } from "../../support/backend.ts";
import { restDoor } from "../../support/clients/doors.ts";
import { sendRaw } from "../../support/clients/raw-http.ts";
import { inParallel } from "../../support/in-parallel.ts";
import { findFaults, withStoreFile } from "../../support/store-file.ts";
import { countLost, patientDoor, storeAll } from "../common.ts";
import type { Edit, Part, Rig } from "../part.ts";
import { type Bad, BOMB, FOR_ALL, FOR_JSON, LEVELS, MIB } from "./bad-bodies.ts";

const SENDERS = 16;
const GROWTH_LIMIT_MB = 256;
const TRIES = 5;
const AGAIN_MS = 2000;

interface Route {
  readonly path: string;
  readonly limit: number;
  /** True for a route that takes lines instead of one JSON document. */
  readonly isLines: boolean;
}

/** Edits that make a backend accept compressed bodies. */
const UNPACKED: readonly Edit[] = [
  {
    file: "apps/server/src/plugins/json.ts",
    find: 'if (encoding !== "identity") return done(compressed());',
    put: "",
  },
  {
    file: "apps/server/src/plugins/json.ts",
    find: "done(null, readJson(textOf(body as Buffer)));",
    put: `const isZipped = _request.headers["content-encoding"] === "gzip";
      const bytes = body as Buffer;
      done(null, readJson((isZipped ? process.getBuiltinModule("node:zlib").gunzipSync(bytes) : bytes).toString()));`,
  },
];

/** Part that sends malformed and oversized bodies. */
export const bodies: Part = {
  name: "bodies",
  does: `bodies that are too long (with a length, chunked, announced), ${LEVELS.toLocaleString("en")} levels deep, malformed, compressed, and bombs of ${BOMB / MIB} MB, to every route; then ${SENDERS} senders at once beside working clients`,
  holds: [
    {
      says: "each is refused with 400 or 413, a message that names the fault, and a hint",
      guards: [
        {
          name: "a body has a limit",
          edits: [
            {
              file: "apps/server/src/routes/tools.ts",
              find: "bodyLimit: BODY_LIMITS.tool,",
              put: "bodyLimit: 100_000_000,",
            },
          ],
          shows: /too many/,
        },
        {
          name: "a body has a depth",
          edits: [
            {
              file: "apps/server/src/plugins/json.ts",
              find: "if (isNestedDeeper(text, MAX_DEPTH)) throw",
              put: "if (text === '') throw",
            },
          ],
          shows: /deep: answered with 500/,
        },
      ],
    },
    {
      says: "nothing is unpacked or stored",
      guards: [
        {
          name: "compressed bodies are not read",
          edits: [
            {
              file: "apps/server/src/plugins/json.ts",
              find: 'if (encoding !== "identity")',
              put: 'if (encoding === "never")',
            },
          ],
          shows: /gzip/,
        },
        {
          name: "compressed bombs are not unpacked",
          edits: UNPACKED,
          shows: /zip: answered with 200/,
        },
      ],
    },
    {
      says: `memory grows by less than ${GROWTH_LIMIT_MB} MB`,
      guards: [
        {
          name: "unpacked bytes are not held",
          edits: UNPACKED,
          shows: /memory grew/,
        },
      ],
    },
    {
      says: "no working client is refused meanwhile",
      guards: [
        {
          name: "a refusal takes no time",
          edits: UNPACKED,
          shows: /were refused/,
        },
      ],
    },
  ],
  rounds: { long: 2000, short: 200, unguarded: 100 },
  counted: "bodies sent at once",

  async run(rig) {
    const faults: string[] = [];
    const dataDir = rig.folder();
    const backend = await rig.start({ dataDir });
    const kept = await storeAll(
      backend,
      Array.from({ length: 50 }, (_, at) => `the well number ${at} is deep`),
    );
    const stored = () =>
      withStoreFile(join(dataDir, "chest.db"), (db) => db.prepare("SELECT count(*) FROM memories").pluck().get());
    const before = stored();
    const all = await routesOf(backend);
    const routes = rig.effort === "unguarded" ? all.filter(({ path }) => path.startsWith("/api/tools/")) : all;
    const residentBefore = megabytesOf(backend, "VmRSS");
    const sent = await oneAtATime(rig, backend, routes, faults);
    const work = { answers: 0, refused: 0, isOver: rig.isShown(faults) };
    const working = [1, 2].map(() => recallUntil(backend, work));
    if (!work.isOver) await atOnce(rig, backend, faults);
    work.isOver = true;
    await Promise.all(working);
    if (work.refused > 0) faults.push(`${work.refused} who worked beside them were refused`);
    const grownMb = Math.round(megabytesOf(backend, "VmHWM") - residentBefore);
    if (grownMb > GROWTH_LIMIT_MB) faults.push(`memory grew by ${grownMb} MB`);
    if (stored() !== before) faults.push("something of them was stored");
    const lost = await countLost(patientDoor(backend), kept);
    if (lost > 0) faults.push(`${lost} memories are not there any more`);
    await backend.stop();
    faults.push(...findFaults(join(dataDir, "chest.db")));
    const figures = {
      routes: routes.length,
      "bodies, one at a time": sent,
      "answers beside them": work.answers,
      "MB of memory they took": grownMb,
    };
    return { figures, faults };
  },
};

/** Sends each body to every route, until more tell nothing new. @returns how many were sent. */
async function oneAtATime(rig: Rig, backend: Backend, routes: readonly Route[], faults: string[]): Promise<number> {
  let sent = 0;
  for (const { path, limit, isLines } of routes) {
    for (const [what, make] of Object.entries({ ...FOR_ALL, ...(isLines ? {} : FOR_JSON) })) {
      if (rig.isShown(faults)) return sent;
      sent++;
      const fault = await faultOf(backend, path, make(limit));
      if (fault !== undefined) faults.push(`${path}: ${what}: ${fault}`);
    }
  }
  return sent;
}

async function atOnce(rig: Rig, backend: Backend, faults: string[]): Promise<void> {
  const kinds = Object.values({ ...FOR_ALL, ...FOR_JSON });
  const numbers = Array.from({ length: rig.rounds }, (_, at) => at);
  await inParallel(numbers, SENDERS, async (at) => {
    const make = kinds[at % kinds.length] as (limit: number) => Bad;
    const fault = await faultOf(backend, "/api/tools/chest_remember", make(MIB));
    if (fault !== undefined) faults.push(`with ${SENDERS} at once: ${fault}`);
  });
}

/** Lists every route that takes a body, with its size limit. */
async function routesOf({ url }: Backend): Promise<Route[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { post?: { requestBody?: unknown; "x-body-limit"?: number } }>;
  };
  return Object.entries(paths).flatMap(([path, { post }]) => {
    const limit = post?.["x-body-limit"];
    if (limit === undefined) return [];
    return [{ path: path.replace("{id}", "1"), limit, isLines: post?.requestBody === undefined }];
  });
}

async function faultOf(
  { url, token }: Backend,
  path: string,
  { status, says, ...request }: Bad,
): Promise<string | undefined> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream",
    ...request.headers,
  };
  let answer = await sendRaw(url + path, { ...request, headers }).catch(() => undefined);
  // A busy backend may refuse the request before it reads the body.
  for (let tries = 0; answer?.status === 503 && tries < TRIES; tries++) {
    await sleep(AGAIN_MS);
    answer = await sendRaw(url + path, { ...request, headers }).catch(() => undefined);
  }
  if (!answer) return "not answered";
  // A client without access gets that refusal first.
  if (answer.status === 403) return undefined;
  if (answer.status !== status) return `answered with ${answer.status} and not ${status}`;
  if (!answer.error?.hint) return "no hint";
  return says.test(answer.error.message) ? undefined : `the message does not say ${says.source}`;
}

/** Memory of a process now, or at its peak, in MB. */
function megabytesOf({ process: { pid } }: Backend, which: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kb = "0"] = new RegExp(`^${which}:\\s+(\\d+)`, "m").exec(status) ?? [];
  return Number(kb) / 1024;
}

async function recallUntil(
  backend: Backend,
  work: { answers: number; refused: number; isOver: boolean },
): Promise<void> {
  const door = restDoor(backend);
  while (!work.isOver) {
    const reply = await door.call("chest_recall", { query: "how deep is the well", limit: 3 }).catch(() => undefined);
    work.answers++;
    if (!reply?.result) work.refused++;
  }
}
