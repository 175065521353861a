import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isTriggered, readCondition, type Situation, sceneOf } from "@chest/core/triggers";
import type { Bench } from "./bench.ts";
import { bigStore } from "./big-store.ts";
import { atMost, type Figure } from "./figures.ts";
import type { Request } from "./requests.ts";
import { Load } from "./requests.ts";
import { cpuEach, interleaved, median, spread, wallEach } from "./rounds.ts";

const COUNT = 10_000;
const MOST_EACH_US = 50;
const MOST_ALL_MS = 20;
const PROJECT = "bench/project-0";
const REQUESTS = 20;

const TALK = "The dunlin build fails on the second runner, and 数据库 was moved to another host before the deploy. ";
const SITUATION: Situation = {
  messages: Array.from({ length: 4 }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content: TALK.repeat(10) })),
  now: new Date(2026, 11, 24, 12, 30),
  conversationId: "c-1",
  project: "host/org/acme",
  files: ["src/a/b.sql", "docs/deploy.md"],
};

/** Kinds of conditions. None of them holds, so that all of their parts are evaluated. */
const KINDS: Readonly<Record<string, (nth: number) => string>> = {
  "a word": (nth) => JSON.stringify({ any: [`word${nth}`] }),
  "50 words": (nth) => JSON.stringify({ any: Array.from({ length: 50 }, (_, at) => `word${nth}x${at}`) }),
  "a phrase": (nth) => JSON.stringify({ any: [`dunlin build number ${nth}`] }),
  Chinese: (nth) => JSON.stringify({ any: [`数据库第${nth}个`] }),
  "50 keys in Chinese": (nth) => JSON.stringify({ any: Array.from({ length: 50 }, (_, at) => `数据库${nth}${at}`) }),
  "a date": (nth) => JSON.stringify({ dates: [{ month: (nth % 11) + 1, day: 5 }] }),
  files: (nth) => JSON.stringify({ files: [`src/**/*${nth}.sql`] }),
  "an expression": (nth) => `match_keys(['word${nth}', 'other${nth}'], 'user', 4) > 0 || new Date().getMonth() === 5`,
  "an expression of 199 parts": (nth) => Array.from({ length: 40 }, (_, at) => `${nth}<${at - 100_000}`).join("||"),
};

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Measures triggers: one evaluation of each kind, ten thousand at once, and their cost for a recall. */
export const triggers: Bench = async ({ rounds, workDir, startServer }) => {
  const scene = () => sceneOf(SITUATION);
  const evaluate = (stored: readonly string[]): number => {
    const at = cpuUs();
    const now = scene();
    for (const condition of stored) if (isTriggered(condition, now)) throw new Error(`\`${condition}\` holds`);
    return cpuUs() - at;
  };
  const kinds = Object.entries(KINDS).map(([name, of]): Figure => {
    const stored = Array.from({ length: 1000 }, (_, nth) => readCondition(of(nth)));
    // These rounds parse the conditions and let V8 compile the code.
    for (let times = 0; times < 5; times++) evaluate(stored);
    const value = median(Array.from({ length: rounds }, () => evaluate(stored) / stored.length));
    return { name: `a trigger: ${name}`, value, unit: "µs", goal: atMost(MOST_EACH_US, value, `${MOST_EACH_US} µs`) };
  });
  const of = Object.values(KINDS).filter((_, at) => at !== 1 && at !== 4 && at !== 8);
  const many = Array.from({ length: COUNT }, (_, nth) => readCondition(of[nth % of.length]?.(nth) ?? ""));
  const first = evaluate(many) / 1000;
  const value = median(Array.from({ length: rounds }, () => evaluate(many) / 1000));
  const all: Figure = {
    name: `${COUNT} triggers`,
    value,
    unit: "ms",
    goal: atMost(MOST_ALL_MS, value, `${MOST_ALL_MS} ms`),
  };
  const compiled: Figure = { name: "  the first time, compiled", value: first, unit: "ms" };

  const file = join(workDir, "data", "chest.db");
  await mkdir(join(workDir, "data"));
  await copyFile(await bigStore(COUNT, 1), file);
  const store = new DatabaseSync(file);
  const set = store.prepare('UPDATE memories SET "trigger" = ? WHERE id = ?');
  store.exec("BEGIN");
  const ids = store.prepare("SELECT id FROM memories WHERE archived_at IS NULL").all() as { id: number }[];
  for (const [nth, { id }] of ids.entries()) set.run(many[nth % many.length] ?? null, id);
  store.exec("COMMIT");
  store.close();
  const server = await startServer();
  const load = new Load(server, 1);
  const ask = (project: string, count = REQUESTS) =>
    load.run(
      Array.from({ length: count }, () => recallRequest(project)),
      { isPatient: true },
    );
  try {
    for (const project of [PROJECT, "bench/none"]) await ask(project);
    const samples = await interleaved(rounds, { many: () => ask(PROJECT), none: () => ask("bench/none") });
    const recalls = (["many", "none"] as const).map((kind): Figure => {
      const name = `recall of a conversation where ${kind === "many" ? ids.length : "no"} triggers are`;
      const taken = samples[kind];
      const cpuMs = median(taken.map(cpuEach));
      return { name, unit: "ms", value: median(taken.map(wallEach)), cpuMs, ...spread(taken) };
    });
    return [...kinds, all, compiled, ...recalls];
  } finally {
    await load.close();
    await server.stop();
  }
};

const recallRequest = (project: string): Request => ({
  path: "/api/tools/chest_conversation",
  headers: { "x-chest-client": "chest-bench/1.0.0; wire=1.6.0", "x-chest-project": encodeURIComponent(project) },
  body: { action: "recall", conversation_id: "c-1", messages: SITUATION.messages, flashback: 0 },
});
