import { setImmediate as turn } from "node:timers/promises";
import { CannotOpen, type Row, type StoreRows } from "@chest/core";
import type { Connections, Piped } from "../database/connection.ts";
import { textRowsPut } from "../search/text-rows.ts";
import { asTexts, type Column, columnsOf } from "./columns.ts";
import { type Moved, memoryOfAnswer, TABLES } from "./tables.ts";

// Rows in one transaction; a vector of a thousand numbers is ten kilobytes as text.
const AT_ONCE = 500;
const FREE_EVERY = 50;

/** Key of what is known of a move that has not ended. */
export const MOVING = "moving";

interface Progress {
  readonly uid: string;
  /** Statement that makes the index of words, which is made once all words are there. */
  readonly indexOfWords?: string | undefined;
  /** Steps that are done, and rows of the next one. */
  readonly steps: number;
  readonly rows: number;
}

interface Step {
  readonly name: string;
  /** Table of the file that is read for it. */
  readonly table: string;
  /** Makes ready what puts these rows: the database works on those before them meanwhile. */
  prepare(rows: readonly Row[], connections: Connections): Promise<Put> | Put;
}

type Put = (tx: Piped) => void;

interface Copied {
  /** Rows by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Makes the index of words, which no question is answered without. */
  makeIndex(): Promise<void>;
}

/** Copies every row; called again after it was cut off, it goes on. */
export async function copyRows(
  connections: Connections,
  source: StoreRows,
  told: (table: string, rows: number) => void,
): Promise<Copied> {
  const counts = new Map<string, number>();
  const progress = await begun(connections, source);
  // Comparing memories by their vectors goes on where it stood.
  await connections.script("ALTER TABLE vectors DISABLE TRIGGER vectors_stored, DISABLE TRIGGER vectors_coarsened");
  let { steps, rows } = progress;
  let sent: Promise<void> = Promise.resolve();
  for (const [nth, step] of STEPS.entries()) {
    if (nth < steps) continue;
    let chunk: Row[] = [];
    const flush = async () => {
      if (chunk.length === 0) return;
      rows += chunk.length;
      const done: Progress = { ...progress, steps: nth, rows };
      const put = await step.prepare(chunk, connections);
      chunk = [];
      await sent;
      sent = connections.transaction(async (tx) => {
        // A crash of the server takes away the last pieces with the progress that tells of them.
        tx.later("SET LOCAL synchronous_commit = off");
        put(tx);
        keepProgress(tx, done);
      });
      // The next to await it gets its error.
      sent.catch(() => undefined);
    };
    for (const row of source.rows(step.table, rows)) {
      chunk.push(row);
      if (chunk.length === AT_ONCE) await flush();
      // The socket sends only while this thread is free.
      else if (chunk.length % FREE_EVERY === 0) await turn();
    }
    await flush();
    await sent;
    told(step.name, rows);
    steps = nth + 1;
    rows = 0;
    await connections.transaction(async (tx) => keepProgress(tx, { ...progress, steps, rows }));
  }
  await connections.script("ALTER TABLE vectors ENABLE TRIGGER vectors_stored, ENABLE TRIGGER vectors_coarsened");
  await connections.script(COARSE_VECTORS);
  await connections.script(SEQUENCES);
  for (const { name } of TABLES) counts.set(name, source.count(name));
  return { rows: counts, makeIndex: () => makeIndexOfWords(connections, progress) };
}

/** Ends the move: from now on backends open the database. */
export const endMove = (connections: Connections, { uid, where }: StoreRows): Promise<void> =>
  connections.transaction(async (tx) => {
    tx.later("UPDATE meta SET value = ? WHERE key = 'store_uid'", uid);
    tx.later("DELETE FROM meta WHERE key = ?", MOVING);
    tx.later("INSERT INTO meta (key, value) VALUES ('moved_from', ?)", where);
  });

async function begun(connections: Connections, { uid }: StoreRows): Promise<Progress> {
  const kept = await connections.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", MOVING);
  if (kept) {
    const progress = JSON.parse(kept.value) as Progress;
    if (progress.uid === uid) return progress;
    throw new CannotOpen(
      "another store is being moved into this database",
      "finish that one, or name an empty database",
    );
  }
  const held = await connections.get(
    "SELECT 1 FROM memories UNION ALL SELECT 1 FROM members WHERE id > 2 UNION ALL SELECT 1 FROM projects LIMIT 1",
  );
  if (held !== undefined)
    throw new CannotOpen("the database already holds a store", "name an empty database: nothing was changed");
  const index = await connections.get<{ sql: string }>(INDEX_OF_WORDS);
  const progress: Progress = { uid, steps: 0, rows: 0, indexOfWords: index?.sql };
  await connections.transaction(async (tx) => {
    keepProgress(tx, progress);
    tx.later("DROP INDEX IF EXISTS postings_term");
  });
  return progress;
}

const INDEX_OF_WORDS =
  "SELECT pg_get_indexdef(i.oid) AS sql FROM pg_class i WHERE i.oid = to_regclass('postings_term')";

/** Each row would have its place looked for; rows that are all there are sorted, in a third of the time. */
async function makeIndexOfWords(connections: Connections, { indexOfWords }: Progress): Promise<void> {
  if (indexOfWords === undefined || (await connections.get(INDEX_OF_WORDS))) return;
  await connections.transaction(async (tx) => {
    tx.later("SET LOCAL maintenance_work_mem = '256MB'");
    tx.later(indexOfWords);
  });
}

const keepProgress = (tx: Piped, progress: Progress): void =>
  tx.later(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    MOVING,
    JSON.stringify(progress),
  );

// All at once this takes half the time.
const COARSE_VECTORS = `INSERT INTO coarse_vectors (memory_id, identity_id, space, code)
  SELECT v.memory_id, v.identity_id, m.space, coarse_code(v.vector)
  FROM vectors v JOIN memories m ON m.id = v.memory_id WHERE m.archived_at IS NULL ON CONFLICT DO NOTHING`;

const SUCCESSORS = `UPDATE memories m SET superseded_by_id = g.successor
  FROM unnest(?::bigint[], ?::bigint[]) AS g (id, successor) WHERE m.id = g.id`;

const IDENTITIES = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

const STEPS: readonly Step[] = [
  ...TABLES.map(
    (table): Step => ({
      name: table.name,
      table: table.name,
      prepare: (rows, connections) => rowsPut(connections, table, rows),
    }),
  ),
  {
    name: "successors",
    table: "memories",
    prepare(rows) {
      const replaced = rows.filter((row) => row.superseded_by_id !== null);
      const [ids, successors] = [
        replaced.map((row) => Number(row.id)),
        replaced.map((row) => Number(row.superseded_by_id)),
      ];
      return (tx) => tx.later(SUCCESSORS, ids, successors);
    },
  },
  {
    name: "texts",
    table: "memory_text",
    prepare: (rows) => textRowsPut(rows.map(textRowOf), false),
  },
  {
    name: "identities",
    table: "meta",
    prepare: (rows) => (tx) => {
      for (const { key, value } of rows)
        if (key === "active_identity" || key === "next_identity") tx.later(IDENTITIES, key, String(value));
    },
  },
];

function textRowOf(row: Row) {
  const text = (name: string) => String(row[name] ?? "");
  const [title, tags, words, grams] = [text("title"), text("tags"), text("words"), text("grams")];
  return { id: Number(row.memory_id), scope: String(row.scope), row: { title, tags, words, grams } };
}

async function rowsPut(
  connections: Connections,
  { name, without = [], isSeeded }: Moved,
  rows: readonly Row[],
): Promise<Put> {
  const there = Object.keys(rows[0] ?? {}).filter((column) => !without.includes(column));
  const columns: readonly Pick<Column, "name" | "type" | "sentAs" | "sent">[] = [
    ...(await columnsOf(connections, name, there)),
    ...(name === "idempotency"
      ? [{ name: "memory_id", type: "int8", ...asTexts((row) => memoryOfAnswer(row)?.toString() ?? null) }]
      : []),
  ];
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  const values = columns.map((column, nth) => `c${nth}::${column.type}`).join(", ");
  const lists = columns.map(({ sentAs }) => `?::${sentAs}`).join(", ");
  const places = columns.map((_, nth) => `c${nth}`).join(", ");
  const changed = columns.map((column) => `"${column.name}" = excluded."${column.name}"`).join(", ");
  const sql = `INSERT INTO ${name} (${names}) SELECT ${values} FROM unnest(${lists}) AS given (${places})
     ${isSeeded ? `ON CONFLICT (id) DO UPDATE SET ${changed}` : "ON CONFLICT DO NOTHING"}`;
  const given = columns.map((column) => column.sent(rows));
  return (tx) => tx.later(sql, ...given);
}

// Numbers given from now on come after those that were brought.
const SEQUENCES = `DO $$ DECLARE of record; last bigint; BEGIN
  FOR of IN SELECT table_name AS t, column_name AS c FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_identity = 'YES'
  LOOP
    EXECUTE format('SELECT coalesce(max(%I), 0) FROM %I', of.c, of.t) INTO last;
    PERFORM setval(pg_get_serial_sequence(quote_ident(of.t), of.c), last + 1, false);
  END LOOP;
END $$`;
