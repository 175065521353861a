import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { startPostgres, type TestServer } from "@chest/store-postgres/testing";
import type { AnsweredQuestion } from "./ask.ts";
import type { Document, EvalSet } from "./eval-set.ts";
import { type Abstention, type Evaluation, evaluate, type Row } from "./evaluate.ts";
import { HASHED } from "./hashed-vectors.ts";
import { LEGS, type Leg } from "./legs.ts";
import { mean, measure } from "./measures.ts";
import { type Pair, pairs } from "./pairs.ts";
import { abstentions, comparisons, failures, kinds, reliability, table } from "./print.ts";
import { publicSets } from "./public/index.ts";
import { writeFigures } from "./readme.ts";
import { binsOf, type Sureness } from "./reliability.ts";
import { readRun, writeRun } from "./runs.ts";
import {
  agentsSet,
  blindSet,
  booksSet,
  changesSet,
  farmsSet,
  meaningSet,
  parcelsSet,
  passagesSet,
  trainsSet,
  twinsSet,
  updatesSet,
} from "./sets/agents.ts";
import { codeSet } from "./sets/code.ts";
import { debianSets } from "./sets/debian.ts";
import { packagesSet } from "./sets/packages.ts";
import { sessionsSet } from "./sets/sessions.ts";
import { openStore, openStoreOn } from "./store.ts";
import { vectorsOfBuiltin, vectorsOfModel, vectorsOfServer } from "./vectors.ts";

const STORES = ["private", "pooled"];

const USAGE = `usage: npm run eval -- [options]
       npm run eval -- day [options]    days of coding agents: what is kept of them, found, and shown
       npm run eval -- centres --served URL   learns what is taken from the vectors of multilingual-e5-small
       npm run eval -- rival [NAME]     other memory servers on sets of the README; npm and pip fetch them:
                                        reference (MCP's own), doobidoo (mcp-memory-service with MiniLM),
                                        basic (basic-memory by text, with Python 3.12)

  --only SET      only sets whose name begins so: agents, blind, updates, meaning, changes,
                  twins, trains, farms, books, parcels, sessions, packages, code, debian, debian-ja …; may be repeated
  --leg LEG       only this one: ${LEGS.join(", ")}; may be repeated
  --store STORE   only this one: ${STORES.join(", ")}
  --builtin       vectors from the table that comes with Chest, instead of hashed grams
  --model         vectors from the model that CHEST_MODELS_DIR and CHEST_EMBED_* name, instead of hashed grams
  --served URL    vectors from a server of OpenAI's embeddings API, with --as: e2e/eval/README.md says how to get one
  --as ID         with --model or --served: ranks as for this model: Xenova/all-MiniLM-L6-v2 …
  --postgres      over PostgreSQL: the server that CHEST_TEST_POSTGRES_URL names, or one of this machine's packages;
                  CPU is then this process's alone
  --tokens N      what an agent gets with so many tokens, whole memories, instead of the first ten
  --coverage N    as with CHEST_RECALL_MIN_COVERAGE=N: what it empties, and what that loses
  --kinds         also how each kind of question fares
  --failures      also the questions of the tuned part whose answer did not come first, with what came instead
  --save FILE     keeps every question's place
  --against FILE  compares with a kept run: change of MRR, its 95 % interval, p of a paired randomisation test
  --public DIR    in place of all of these: public collections that lie in a folder, in the form in which they are published
                  (e2e/eval/README.md names them); all their questions, each collection in a store of its own
  --json          the rows as JSON
  --from FILE     what an earlier run printed with --json, instead of asking; may be repeated: a set at a time
  --write         puts the figures into e2e/eval/README.md, in the place of those that are there`;

const isAboutDays = process.argv[2] === "day";
const isOfRival = process.argv[2] === "rival";
const isToLearn = process.argv[2] === "centres";
const { values } = parseArgs({
  args: isAboutDays || isOfRival || isToLearn ? [] : process.argv.slice(2),
  options: {
    only: { type: "string", multiple: true, default: [] },
    leg: { type: "string", multiple: true, default: [...LEGS] },
    store: { type: "string", multiple: true, default: STORES },
    builtin: { type: "boolean", default: false },
    model: { type: "boolean", default: false },
    postgres: { type: "boolean", default: false },
    served: { type: "string" },
    as: { type: "string" },
    public: { type: "string" },
    tokens: { type: "string" },
    coverage: { type: "string" },
    kinds: { type: "boolean", default: false },
    failures: { type: "boolean", default: false },
    save: { type: "string" },
    against: { type: "string" },
    json: { type: "boolean", default: false },
    from: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const unknown = [
  ...values.leg.filter((leg) => !LEGS.includes(leg as Leg)),
  ...values.store.filter((name) => !STORES.includes(name)),
];

const isMisused =
  (values.as !== undefined && !values.model && !values.served) || (values.served !== undefined && !values.as);

if (isAboutDays) {
  const { evaluateDays } = await import("./day/main.ts");
  await evaluateDays(process.argv.slice(3));
} else if (isToLearn) {
  const { learnCentres } = await import("./centres.ts");
  await learnCentres(process.argv.slice(3));
} else if (isOfRival) {
  const { evaluateRivals, RIVALS } = await import("./rivals/evaluate-rivals.ts");
  const names = process.argv.slice(3);
  await evaluateRivals(names.length > 0 ? names : Object.keys(RIVALS), [
    agentsSet(),
    blindSet(),
    meaningSet(),
    booksSet(),
    parcelsSet(),
  ]);
} else if (values.help || unknown.length > 0 || isMisused) {
  console.error(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else if (values.from.length > 0) {
  const reports = values.from.map((file) => JSON.parse(readFileSync(file, "utf8")) as Report);
  print({
    vectors: [...new Set(reports.map(({ vectors }) => vectors))].join(" and "),
    rows: reports.flatMap(({ rows }) => rows),
    comparisons: reports.flatMap(({ comparisons }) => comparisons),
    abstentions: reports.flatMap(({ abstentions }) => abstentions),
    sureness: reports.flatMap(({ sureness }) => sureness),
  });
} else {
  const server = values.postgres ? await startPostgres() : undefined;
  await run(server).finally(() => server?.stop());
}

function numberOr(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** Report of a run, as `--json` prints it. */
interface Report {
  /** Name of the vectors that were searched. */
  readonly vectors: string;
  readonly rows: readonly Row[];
  readonly comparisons: readonly Pair[];
  readonly abstentions: readonly Abstention[];
  readonly sureness: readonly { readonly leg: Leg; readonly answers: readonly Sureness[] }[];
}

async function run(server: TestServer | undefined): Promise<void> {
  const vectors =
    values.served && values.as
      ? await vectorsOfServer(values.served, values.as)
      : values.model
        ? await vectorsOfModel(process.env, values.as)
        : values.builtin
          ? vectorsOfBuiltin()
          : HASHED;
  const { sets: all, rest } = values.public === undefined ? ownSets() : { sets: readPublic(values.public), rest: [] };
  const stores = values.public === undefined ? values.store : ["private"];
  const sets = all.filter(({ name }) => values.only.length === 0 || values.only.some((only) => name.startsWith(only)));
  if (sets.length === 0) throw new Error(`no set is called so; there are ${all.map(({ name }) => name).join(", ")}`);
  const asking = { tokens: numberOr(values.tokens), minCoverage: numberOr(values.coverage) };
  const before = values.against === undefined ? undefined : readRun(values.against);
  const busy = (loadavg()[0] ?? 0).toFixed(1);
  console.error(
    `chest: asking ${sets.map(({ name }) => name).join(", ")} (${availableParallelism()} cores, load ${busy})`,
  );
  const found: Evaluation[] = [];
  if (stores.includes("private"))
    for (const set of sets) found.push(...(await over("private", set.name, set.documents, [set])));
  if (stores.includes("pooled")) {
    const documents = [...all.flatMap((set) => set.documents), ...rest];
    console.error(`chest: the pooled store has ${documents.length} documents`);
    found.push(...(await over("pooled", "pooled", documents, sets)));
  }
  if (values.save !== undefined)
    writeRun(values.save, { places: Object.assign({}, ...found.map(({ places }) => places)) });
  await vectors.embedder.close();
  print({
    vectors: vectors.name,
    rows: [...found.flatMap((result) => result.rows), ...together(found)],
    comparisons: pairs(found),
    abstentions: found.flatMap(({ abstention }) => abstention ?? []),
    sureness: found.map(({ leg, sureness }) => ({ leg, answers: sureness })),
  });

  async function over(where: string, name: string, documents: readonly Document[], asked: readonly EvalSet[]) {
    const store = await (server ? openStoreOn(server, documents, vectors) : openStore(name, documents, vectors));
    const results: Evaluation[] = [];
    try {
      for (const set of asked) {
        await vectors.prepare?.(set.questions.map(({ text }) => text));
        for (const leg of values.leg as Leg[]) {
          const result = await evaluate(set, where, store, leg, before, asking);
          results.push(result);
          if (!values.json) details(`${set.name}, ${where} store, ${leg}`, result.asked, documents);
        }
      }
    } finally {
      await store.close();
    }
    return results;
  }
}

/** Reads the sets of this repository and of this machine's packages, and further documents for a large store. */
function ownSets(): { sets: EvalSet[]; rest: readonly Document[] } {
  const byHand = [
    agentsSet(),
    blindSet(),
    updatesSet(),
    meaningSet(),
    changesSet(),
    passagesSet(),
    twinsSet(),
    trainsSet(),
    farmsSet(),
    booksSet(),
    parcelsSet(),
    sessionsSet(),
  ];
  const debian = debianSets();
  return { sets: [...byHand, packagesSet(), codeSet(), ...(debian?.sets ?? [])], rest: debian?.rest ?? [] };
}

function readPublic(folder: string): EvalSet[] {
  try {
    return publicSets(folder);
  } catch (error) {
    console.error(`chest: ${(error as Error).message}`);
    process.exit(2);
  }
}

/** Joins the questions of a collection with several stores, such as `locomo.1` and `locomo.2`. */
function together(found: readonly Evaluation[]): Row[] {
  const parts = found.filter(({ rows }) => rows[0]?.set.includes("."));
  const groups = Map.groupBy(parts, ({ rows, leg }) => `${rows[0]?.set.split(".")[0]} ${leg}`);
  return [...groups.values()].flatMap((some) => {
    const [row] = some[0]?.rows ?? [];
    if (!row) return [];
    const asked = some.flatMap((each) => each.asked);
    const cpuMs = mean(some.flatMap((each) => each.asked.map(() => each.rows[0]?.cpuMs ?? 0)));
    return [{ ...row, set: `${row.set.split(".")[0]}, all`, measures: measure(asked), cpuMs }];
  });
}

function print(report: Report): void {
  const { vectors, rows, comparisons: held, abstentions: idle } = report;
  if (values.write) writeFigures(vectors, rows, held, idle);
  const parts = [
    table(rows),
    ...(held.length > 0 ? [comparisons(held)] : []),
    ...(idle.length > 0 ? [abstentions(idle)] : []),
    ...[...Map.groupBy(report.sureness, ({ leg }) => leg)].flatMap(([leg, sets]) => {
      const bins = binsOf(sets.flatMap(({ answers }) => answers));
      return bins.length > 0 ? [reliability(leg, bins)] : [];
    }),
  ];
  console.log(values.json ? JSON.stringify(report, null, 2) : parts.join("\n\n"));
}

function details(title: string, asked: readonly AnsweredQuestion[], documents: readonly Document[]): void {
  const contents = new Map(documents.map(({ key, content }) => [key, content]));
  if (values.kinds) console.log(`${title}\n\n${kinds(asked)}\n`);
  if (values.failures) console.log(`${title}\n\n${failures(asked, (key) => contents.get(key) ?? "")}\n`);
}
