import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { localCaller, openAccessAdmin } from "@chest/core/access";
import { type Engine, systemClock } from "@chest/core/ports";
import { startPostgres } from "@chest/store-postgres/testing";
import { REPEATED_UNITS } from "@chest/testing/repeated-units";
import { pick, seeded } from "../support/random.ts";
import type { Bench } from "./bench.ts";
import { atMost, type Figure } from "./figures.ts";
import { openPostgresEngine, openSqliteEngine } from "./libraries.ts";
import { recallRequest, rememberRequest } from "./memory-requests.ts";
import { Load, type Request, type Target } from "./requests.ts";
import { interleaved, median, percentile } from "./rounds.ts";
import type { BenchServer } from "./server.ts";
import { endless, readParagraphs } from "./texts.ts";

const MEMORIES = 300;
/** Number of queries per turn; a first, unmeasured turn precedes them. */
const QUESTIONS = 100;
const WARM_UP = 200;
const PAUSE_MS = 30;
const MOST_TIMES = 3;
/** Long notes of a filled store: so many that a sample tells which words are frequent. */
const FILLED = 5000;

/** Longest note that a backend accepts by default; a query or a message may be longer. */
const NOTE_CHARACTERS = 8000;
const CHARACTERS = 20_000;
const CHINESE = "部署失败后回滚数据库";
const UNITS = [...REPEATED_UNITS, CHINESE, `${CHINESE}，`, "The deploy failed because of the disk. "];
const MANY = 16;

/** Generates the most expensive kinds of requests without end. */
const ATTACKS: Readonly<Record<string, { readonly connections: number; readonly request: (nth: number) => Request }>> =
  {
    "long notes": { connections: 1, request: note },
    "long questions": { connections: 1, request: question },
    "long messages": { connections: 1, request: message },
    "long notes at once": { connections: MANY, request: note },
    "long questions at once": { connections: MANY, request: question },
    "short notes at once": {
      connections: MANY,
      request: (nth) => rememberRequest({ about: "x", text: `note ${nth} of ${MANY}` }),
    },
  };

/**
 * Measures how long a member waits for an answer while another member sends the most expensive requests allowed; the
 * goal is at most three times as long as alone.
 */
export const besideWorst: Bench = overSqlite();

/** Measures the same in a store that the other member has filled with long notes. */
export const besideWorstFilled: Bench = overSqlite(FILLED);

/** Measures both over PostgreSQL. */
export const postgresBesideWorst: Bench = overPostgres();
export const postgresBesideWorstFilled: Bench = overPostgres(FILLED);

function overSqlite(filled?: number): Bench {
  return ({ rounds, workDir, startServer }) =>
    measured(
      rounds,
      () => startServer(AS_USUAL),
      () => openSqliteEngine({ path: join(workDir, "data", "chest.db") }),
      filled,
    );
}

function overPostgres(filled?: number): Bench {
  return async ({ rounds, startServer }) => {
    const database = await startPostgres();
    try {
      const url = await database.database();
      return await measured(
        rounds,
        () => startServer({ ...AS_USUAL, CHEST_DATABASE_URL: url }),
        () => openPostgresEngine({ url }),
        filled,
      );
    } finally {
      await database.stop();
    }
  };
}

const AS_USUAL = { CHEST_EMBED_MODEL: undefined, CHEST_SEARCH_THREADS: undefined };

async function measured(
  rounds: number,
  start: () => Promise<BenchServer>,
  openEngine: () => Promise<Engine>,
  filled = 0,
): Promise<Figure[]> {
  const server = await start();
  const [victim = server, attacker = server] = await twoMembers(server, await openEngine());
  const [own, load, others] = [new Load(victim, 1), new Load(victim, 8), new Load(attacker, 8)];
  try {
    const next = endless(readParagraphs());
    const texts = Array.from({ length: MEMORIES }, next);
    await load.run(texts.map(rememberRequest), { isPatient: true });
    await others.run(
      Array.from({ length: filled }, (_, nth) => note(nth)),
      { isPatient: true },
    );
    const random = seeded(3);
    const ask = async (): Promise<number> => {
      const { text } = texts[Math.floor(random() * texts.length)] ?? { text: "" };
      const request = recallRequest(pick(text.split(/\s+/), 6, random).join(" "));
      const startedAt = performance.now();
      await own.send(request);
      return performance.now() - startedAt;
    };
    const turn = async (questions = QUESTIONS): Promise<number[]> => {
      const tookMs: number[] = [];
      while (tookMs.length < questions) {
        tookMs.push(await ask());
        await sleep(PAUSE_MS);
      }
      return tookMs;
    };
    await turn(WARM_UP);
    const beside = (name: string) => () => attacked(attacker, name, turn);
    const took = await interleaved<string, readonly number[]>(rounds, {
      alone: () => turn(),
      ...Object.fromEntries(Object.keys(ATTACKS).map((name) => [name, beside(name)])),
    });
    return figuresOf(took);
  } finally {
    await Promise.all([own.close(), load.close(), others.close()]);
    await server.stop();
  }
}

function figuresOf(took: Readonly<Record<string, readonly (readonly number[])[]>>): Figure[] {
  const p99 = (name: string) => median((took[name] ?? []).map((turn) => percentile(turn, 99)));
  const alone = p99("alone");
  return Object.entries(took).map(([name, turns]): Figure => {
    const all = turns.flat();
    const figure: Figure = {
      name: name === "alone" ? "p99 of a recall, alone" : `  beside ${name}`,
      unit: "ms",
      value: p99(name),
      p50Ms: percentile(all, 50),
      p95Ms: percentile(all, 95),
    };
    if (name === "alone") return figure;
    const ratio = figure.value / alone;
    return { ...figure, floor: alone, ratio, goal: atMost(MOST_TIMES, ratio, `× ${MOST_TIMES}`) };
  });
}

/** Runs a turn during an attack; refused requests are sent again. */
async function attacked<T>(attacker: Target, name: string, turn: () => Promise<T>): Promise<T> {
  const { connections, request } = ATTACKS[name] as (typeof ATTACKS)[string];
  const load = new Load(attacker, connections);
  let [isOn, nth, answered] = [true, 0, 0];
  const lane = async () => {
    while (isOn) {
      const isAnswered = await load.send(request(nth++)).then(
        () => true,
        () => false,
      );
      if (isAnswered) answered += 1;
      else await sleep(PAUSE_MS);
    }
  };
  const lanes = Array.from({ length: connections }, lane);
  try {
    const took = await turn();
    if (answered === 0) throw new Error(`none of ${nth} requests of "${name}" was answered`);
    return took;
  } finally {
    isOn = false;
    await Promise.all(lanes);
    await load.close();
  }
}

function repeated(nth: number, length: number): string {
  const unit = UNITS[nth % UNITS.length] as string;
  return `${nth} ${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length);
}

function note(nth: number): Request {
  return rememberRequest({ about: "x", text: repeated(nth, NOTE_CHARACTERS) });
}

function question(nth: number): Request {
  return recallRequest(repeated(nth, CHARACTERS));
}

function message(nth: number): Request {
  const content = repeated(nth, CHARACTERS);
  return {
    ...recallRequest(""),
    path: "/api/tools/chest_conversation",
    body: { action: "capture", conversation_id: `c-${nth}`, messages: [{ role: "user", content }] },
  };
}

/** Makes two members of a backend's team, with a token each. */
async function twoMembers(server: Target, engine: Engine): Promise<Target[]> {
  try {
    const admin = openAccessAdmin(engine.access, localCaller(undefined), systemClock);
    const made: Target[] = [];
    for (const member of ["victim", "attacker"]) {
      await admin.addMember({ name: member });
      const { token } = await admin.createToken({ member, scopes: ["read", "write"], label: "bench", expires: "1d" });
      made.push({ ...server, token });
    }
    return made;
  } finally {
    await engine.close();
  }
}
