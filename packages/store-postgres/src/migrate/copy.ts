import { setImmediate as turn } from "node:timers/promises";
import { CannotOpen, type Row, type StoreRows } from "@chest/core/ports";
import type { Connections } from "../database/connection.ts";
import type { Transfer } from "../database/transfer.ts";
import { MOVING } from "../open.ts";
import { asTexts, type Column, columnsOf } from "./columns.ts";
import { type Moved, memoryOfAnswer, TABLES } from "./tables.ts";
import { textsPut } from "./texts.ts";

// Rows per transaction; a vector of a thousand numbers is ten kilobytes of text.
const AT_ONCE = 500;
const FREE_EVERY = 50;

export interface Progress {
  readonly uid: string;
  /** Statement that creates the word index, once all words are copied. */
  readonly indexOfWords?: string | undefined;
  /** Completed steps, and rows of the current one. */
  readonly steps: number;
  readonly rows: number;
}

interface Step {
  readonly name: string;
  /** Table of the file. */
  readonly table: string;
  /** Prepares the insertion of rows, while the database works on the rows before. */
  prepare(rows: readonly Row[], connections: Connections): Promise<Put> | Put;
}

type Put = (transfer: Transfer) => Promise<void>;

interface Copied {
  /** Rows by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Creates the word index, which every search needs. */
  makeIndex(): Promise<void>;
}

/** Copies the remaining rows. */
export async function copyRows(
  connections: Connections,
  source: StoreRows,
  progress: Progress,
  onProgress: (table: string, rows: number) => void,
): Promise<Copied> {
  const counts = new Map<string, number>();
  // Disables the trigger, because the comparison of memories continues where it stopped.
  await connections.script("ALTER TABLE vectors DISABLE TRIGGER vectors_stored, DISABLE TRIGGER vectors_coarsened");
  const transfer = await connections.transfer();
  try {
    await copySteps(connections, transfer, source, progress, onProgress);
  } finally {
    await transfer.close();
  }
  await connections.script("ALTER TABLE vectors ENABLE TRIGGER vectors_stored, ENABLE TRIGGER vectors_coarsened");
  await connections.script(COARSE_VECTORS);
  await connections.script(SEQUENCES);
  for (const { name } of TABLES) counts.set(name, source.count(name));
  return { rows: counts, makeIndex: () => makeIndexOfWords(connections, progress) };
}

async function copySteps(
  connections: Connections,
  transfer: Transfer,
  source: StoreRows,
  progress: Progress,
  onProgress: (table: string, rows: number) => void,
): Promise<void> {
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
      sent = transfer.transaction(async () => {
        await put(transfer);
        await transfer.run(KEEP_META, MOVING, JSON.stringify(done));
      });
      // The error is thrown where it is awaited.
      sent.catch(() => undefined);
    };
    for (const row of source.rows(step.table, rows)) {
      chunk.push(row);
      if (chunk.length === AT_ONCE) await flush();
      // Yields, because the socket sends only while this thread is idle.
      else if (chunk.length % FREE_EVERY === 0) await turn();
    }
    await flush();
    await sent;
    onProgress(step.name, rows);
    steps = nth + 1;
    rows = 0;
    await connections.run(KEEP_META, MOVING, JSON.stringify({ ...progress, steps, rows }));
  }
}

/** Ends the move: backends may open the database now. */
export const endMove = (connections: Connections, { uid, where }: StoreRows): Promise<void> =>
  connections.transaction(async (tx) => {
    tx.later("UPDATE meta SET value = ? WHERE key = 'store_uid'", uid);
    tx.later("DELETE FROM meta WHERE key = ?", MOVING);
    tx.later("INSERT INTO meta (key, value) VALUES ('moved_from', ?)", where);
  });

/** Starts a move into an empty database, or resumes an interrupted move of the same store. */
export async function beginMove(
  connections: Connections,
  { uid }: StoreRows,
): Promise<{ readonly progress: Progress; readonly isGoingOn: boolean }> {
  const kept = await connections.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", MOVING);
  if (kept) {
    const progress = JSON.parse(kept.value) as Progress;
    if (progress.uid === uid) return { progress, isGoingOn: true };
    throw new CannotOpen(
      "another store is being moved into this database",
      "finish that one, or name an empty database",
    );
  }
  const held = await connections.get<{ name: string }>(HELD);
  if (held !== undefined)
    throw new CannotOpen(
      `the database already holds a store: ${held.name} has rows`,
      "name an empty database: nothing was changed",
    );
  const index = await connections.get<{ sql: string }>(INDEX_OF_WORDS);
  const progress: Progress = { uid, steps: 0, rows: 0, indexOfWords: index?.sql };
  await connections.transaction(async (tx) => {
    tx.later(KEEP_META, MOVING, JSON.stringify(progress));
    // Removes the model that a backend registered when it opened the empty database.
    tx.later("DELETE FROM embedding_identities");
    tx.later("DROP INDEX IF EXISTS postings_term");
  });
  return { progress, isGoingOn: false };
}

/** Tables with rows; a new database has two members, and gets a model from the first backend. */
const HELD = TABLES.filter(({ name }) => name !== "embedding_identities")
  .map(({ name, isSeeded }) => `(SELECT '${name}' AS name FROM ${name} ${isSeeded ? "WHERE id > 2" : ""} LIMIT 1)`)
  .join(" UNION ALL ")
  .concat(" LIMIT 1");

const INDEX_OF_WORDS =
  "SELECT pg_get_indexdef(i.oid) AS sql FROM pg_class i WHERE i.oid = to_regclass('postings_term')";

/** Created after the rows, because sorting all rows takes a third of the time of single insertions. */
async function makeIndexOfWords(connections: Connections, { indexOfWords }: Progress): Promise<void> {
  if (indexOfWords === undefined || (await connections.get(INDEX_OF_WORDS))) return;
  await connections.transaction(async (tx) => {
    tx.later("SET LOCAL maintenance_work_mem = '256MB'");
    tx.later(indexOfWords);
  });
}

const KEEP_META = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

// One statement for all rows takes half the time.
const COARSE_VECTORS = `INSERT INTO coarse_vectors (memory_id, identity_id, space, code)
  SELECT v.memory_id, v.identity_id, m.space, coarse_code(v.vector)
  FROM vectors v JOIN memories m ON m.id = v.memory_id WHERE m.archived_at IS NULL ON CONFLICT DO NOTHING`;

const SUCCESSORS = `UPDATE memories m SET superseded_by_id = g.successor
  FROM unnest(?::bigint[], ?::bigint[]) AS g (id, successor) WHERE m.id = g.id`;

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
      return (transfer) => transfer.run(SUCCESSORS, ids, successors);
    },
  },
  {
    name: "texts",
    table: "memory_text",
    prepare: (rows, connections) => textsPut(connections, rows),
  },
  {
    name: "identities",
    table: "meta",
    prepare: (rows) => async (transfer) => {
      for (const { key, value } of rows)
        if (key === "active_identity" || key === "next_identity")
          await transfer.run(KEEP_META, String(key), String(value));
    },
  },
];

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
  return (transfer) => transfer.run(sql, ...given);
}

// Moves the sequences beyond the copied ids.
const SEQUENCES = `DO $$ DECLARE of record; last bigint; BEGIN
  FOR of IN SELECT table_name AS t, column_name AS c FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_identity = 'YES'
  LOOP
    EXECUTE format('SELECT coalesce(max(%I), 0) FROM %I', of.c, of.t) INTO last;
    PERFORM setval(pg_get_serial_sequence(quote_ident(of.t), of.c), last + 1, false);
  END LOOP;
END $$`;
