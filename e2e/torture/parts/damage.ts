import { closeSync, openSync, readFileSync, readSync, statSync, truncateSync, writeSync } from "node:fs";
import { withStoreFile } from "../../support/store-file.ts";

const PAGE = 4096;

interface Damage {
  /** State of the store that is damaged. */
  readonly to: "closed" | "large" | "killed";
  readonly file: "chest.db" | "chest.db-wal";
  work(path: string, random: () => number): void;
}

/** Damage that can happen to a file on a disk. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  "a byte of the database": { to: "closed", file: "chest.db", work: flipAnywhere },
  "a byte of the text index": {
    to: "closed",
    file: "chest.db",
    work: (path, random) => flipIn(path, "memory\\_fts%", random),
  },
  "what the text index is made of": { to: "closed", file: "chest.db", work: spoilText },
  "a byte of another index": {
    to: "closed",
    file: "chest.db",
    work: (path, random) => flipIn(path, "%index%", random),
  },
  "a byte of the log": { to: "killed", file: "chest.db-wal", work: flipAnywhere },
  "a byte of a database with a log": { to: "killed", file: "chest.db", work: flipAnywhere },
  "a page of nothing": { to: "closed", file: "chest.db", work: blank },
  "a page of nothing in a large database": { to: "large", file: "chest.db", work: blank },
  "the end": { to: "closed", file: "chest.db", work: cut },
};

function flipAnywhere(path: string, random: () => number): void {
  flip(path, Math.floor(random() * statSync(path).size), random);
}

/** Changes a byte in the used part of a page that belongs to a table or index of this name. */
function flipIn(path: string, like: string, random: () => number): void {
  const pages = withStoreFile(path, (db) =>
    db.prepare("SELECT pageno FROM dbstat WHERE name LIKE ? ESCAPE '\\'").pluck().all(like),
  ) as number[];
  const page = pages[Math.floor(random() * pages.length)];
  if (page === undefined) throw new Error(`the store has no page of ${like}`);
  flip(path, (page - 1) * PAGE + Math.floor(random() * PAGE), random);
}

/** Changes the first bytes of an index leaf, which locate its words; the pages of the database stay valid. */
function spoilText(path: string, random: () => number): void {
  const blocks = withStoreFile(path, (db) =>
    db.prepare("SELECT block FROM memory_fts_data WHERE id > 10 ORDER BY length(block) DESC LIMIT 20").pluck().all(),
  ) as Buffer[];
  const block = blocks[Math.floor(random() * blocks.length)] as Buffer;
  const at = readFileSync(path).indexOf(block.subarray(0, 80));
  if (at < 0) throw new Error("what the index keeps is not in one piece");
  const handle = openSync(path, "r+");
  writeSync(handle, Buffer.alloc(64, 0xa5), 0, 64, at);
  closeSync(handle);
}

function flip(path: string, at: number, random: () => number): void {
  const handle = openSync(path, "r+");
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, at);
  byte[0] = (byte[0] as number) ^ (1 << Math.floor(random() * 8));
  writeSync(handle, byte, 0, 1, at);
}

function blank(path: string, random: () => number): void {
  const pages = readFileSync(path).length / PAGE;
  writeSync(openSync(path, "r+"), Buffer.alloc(PAGE), 0, PAGE, (1 + Math.floor(random() * (pages - 1))) * PAGE);
}

function cut(path: string, random: () => number): void {
  truncateSync(path, Math.floor(random() * statSync(path).size));
}
