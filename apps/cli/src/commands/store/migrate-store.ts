import { existsSync } from "node:fs";
import type { Engine } from "@chest/core/ports";
import { databaseUrl, loadStores, path, readEnv, StartError, secret } from "@chest/runtime";
import { assertHere, noStore, readConfig } from "../../connect/config.ts";
import { ownCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { answersOf, type Question, questionsOf } from "./same-answers.ts";

const VARIABLES = {
  CHEST_DATABASE_URL: databaseUrl().optional(),
  CHEST_DATABASE_PASSWORD: secret(1).optional(),
  CHEST_DATABASE_CA: path().optional(),
};

// The comparison is not urgent, so its searches get a long time limit.
const PATIENCE_MS = 60_000;

export const migrateStore = ownCommand({
  meta: {
    name: "migrate-store",
    description: "Move a store from its file into PostgreSQL, compared row by row; if interrupted, run it again",
  },
  args: {
    from: { type: "string", description: "File of the store; the configured one by default" },
    to: { type: "string", description: "An empty database, as `postgres://…`; CHEST_DATABASE_URL by default" },
    "take-back": { type: "boolean", description: "Make the file usable again, as it was before the move" },
  },
  async run(args, { env, output }) {
    const config = readConfig(env);
    assertHere(config, "migrate-store");
    const file = args.from ?? config.dbPath;
    if (!existsSync(file)) throw noStore(file);
    const { openSqliteEngine, openStoreRows } = await loadStores(() => import("@chest/store-sqlite"));
    if (args["take-back"] === true) {
      const source = await openStoreRows(file);
      source.markMoved(undefined);
      source.close();
      output.say(`${file} can be opened again; it lacks later writes to the database`);
      output.document({ file, taken_back: true });
      return 0;
    }
    const { values } = readEnv(VARIABLES, args.to === undefined ? env : { ...env, CHEST_DATABASE_URL: args.to });
    const { CHEST_DATABASE_URL: url, CHEST_DATABASE_PASSWORD: password, CHEST_DATABASE_CA: caFile } = values;
    if (url === undefined)
      throw new StartError(
        "no database is named",
        "add `--to postgres://USER@HOST/DATABASE`, or set CHEST_DATABASE_URL",
      );
    const { moveInto, openPostgresEngine, RANKED_ROWS } = await import("@chest/store-postgres");
    const startedAt = performance.now();

    const inFile = await openSqliteEngine({ path: file });
    await inFile.close();
    const drawn = await openStoreRows(file);
    const questions = questionsOf(drawn);
    drawn.close();
    // In a large store, a file normally ranks more rows than a database, and samples rows that a database counts. For
    // the comparison the file ranks and counts like the database.
    const asThere = { rankedRows: RANKED_ROWS, sampledFrom: Number.POSITIVE_INFINITY };
    const before = await answersOver(
      () => openSqliteEngine({ path: file, searchTimeoutMs: PATIENCE_MS, ...asThere }),
      questions,
    );
    const source = await openStoreRows(file);
    try {
      const { rows, where } = await output.working("moving every row, and comparing", (tell) =>
        moveInto({ url, password, caFile, source, onProgress: (table, count) => tell(`${table}: ${count}`) }),
      );
      const after = await answersOver(
        () => openPostgresEngine({ url, password, caFile, pool: 16, searchTimeoutMs: PATIENCE_MS }),
        questions,
      );
      const other = before.filter((answer, nth) => answer !== after[nth]).length;
      if (other > 0)
        throw new StartError(
          `${other} of ${questions.length} questions get other answers there`,
          "keep using the file, which was not changed, and report this",
        );
      source.markMoved(where);
      const memories = rows.get("memories") ?? 0;
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      output.say(
        `${counted(memories, "memory", "memories")} moved to ${where} in ${seconds} s; every row and ${counted(questions.length, "question")} compared`,
      );
      output.hint("start the backends with CHEST_DATABASE_URL; the file is kept, and refuses to be opened");
      output.document({ file, to: where, memories, questions: questions.length, seconds });
      return 0;
    } finally {
      source.close();
    }
  },
});

async function answersOver(open: () => Promise<Engine>, questions: readonly Question[]): Promise<readonly string[]> {
  const engine = await open();
  try {
    return await answersOf(engine, questions);
  } finally {
    await engine.close();
  }
}
