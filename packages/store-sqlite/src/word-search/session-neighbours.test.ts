import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Neighbourhood } from "@chest/core/recall";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Connection } from "../database/connection.ts";
import { openSqliteEngine } from "../index.ts";
import { Neighbours } from "./session-neighbours.ts";

let folder: string;
let file: Database.Database;
let reader: Connection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "chest-neighbours-"));
  const path = join(folder, "chest.db");
  await (await openSqliteEngine({ path })).close();
  file = new Database(path);
  file.exec(
    "INSERT INTO entities (uid, space, kind, name, normalised_name, folded_name, created_at, updated_at) VALUES ('e', 'team', 'other', 'e', 'e', 'e', 0, 0)",
  );
  reader = new Connection(path, { readonly: true });
});
afterEach(() => {
  reader.close();
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

let keys = 0;
const key = () => `journal-${++keys}`;

function add(
  session: string | null,
  conversation: string | null = null,
  space = "t",
  captured = session && key(),
): number {
  const sql = `INSERT INTO memories (uid, entity_id, author_id, visibility, space, session_id, capture_key, conversation_id, content, content_hash,
      content_sha1, segmenter_version, layer, created_at, updated_at)
    VALUES (hex(randomblob(8)), 1, 1, 'team', ?, ?, ?, ?, '', '', '', '', 'context', 0, 0)`;
  return Number(file.prepare(sql).run(space, session, captured, conversation).lastInsertRowid);
}

const newest = () => Number(file.prepare("SELECT max(id) FROM memories").pluck().get() ?? 0);
const ONE_SCOPE = new Uint32Array(10_000).fill(1);

/** Each id with what stands before and after it. */
function links(neighbours: Neighbours): number[][] {
  neighbours.follow(newest());
  return Array.from({ length: newest() }, (_, at) => [
    at + 1,
    neighbours.before(at + 1, ONE_SCOPE),
    neighbours.after(at + 1, ONE_SCOPE),
  ]);
}

describe("which memories stand beside each other", () => {
  it("is their order within a session, and within a conversation where there is one", () => {
    add("a");
    add("b");
    add(null);
    add("a");
    add("a", "talk");
    add("b", "talk");
    add("a");
    expect(links(new Neighbours(reader))).toEqual([
      [1, 0, 4],
      [2, 0, 0],
      [3, 0, 0],
      [4, 1, 7],
      [5, 0, 6],
      [6, 5, 0],
      [7, 4, 0],
    ]);
  });

  it("is the same whether it was read in pieces of any size or followed as it came", () => {
    const following = new Neighbours(reader);
    links(following);
    for (let step = 1; step <= 300; step++) {
      add(step % 11 === 0 ? null : `s${(step * 7919) % 13}`, step % 17 === 0 ? "talk" : null, `p${step % 2}`);
      if (step % 29 === 0) links(following);
    }
    const whole = links(new Neighbours(reader));
    expect(whole.filter(([, before]) => before !== 0).length).toBeGreaterThan(200);
    expect(links(following)).toEqual(whole);
    for (const chunk of [1, 2, 7, 100, 300]) expect(links(new Neighbours(reader, chunk))).toEqual(whole);
  });

  it("takes in what comes while the rest is still being read", () => {
    for (let step = 0; step < 40; step++) add(`s${step % 3}`);
    const reading = new Neighbours(reader, 4);
    for (let step = 0; reading.readOn(newest()); step++) add(`s${step % 4}`);
    expect(links(reading)).toEqual(links(new Neighbours(reader)));
  });

  it("is nothing beside a fact that was saved by itself in the same session", () => {
    const first = add("a");
    const saved = [add("a", null, "t", null), add("a", null, "t", null)];
    const last = add("a");
    for (const neighbours of [new Neighbours(reader), new Neighbours(reader, 2)])
      expect(links(neighbours)).toEqual([[first, 0, last], ...saved.map((id) => [id, 0, 0]), [last, first, 0]]);
  });

  it("is told by nothing that others store in a session of the same name", () => {
    const own = [add("a"), add("a")];
    for (let step = 0; step < 9; step++) add("a", null, "m2");
    own.push(add("a"));
    const [first, second, third] = own as [number, number, number];
    for (const neighbours of [new Neighbours(reader), new Neighbours(reader, 2)])
      expect(links(neighbours).filter(([id]) => own.includes(id as number))).toEqual([
        [first, 0, second],
        [second, first, third],
        [third, second, 0],
      ]);
  });

  it("is read anew when a memory has moved to another space", () => {
    const [first, moved, last] = [add("a"), add("a"), add("a")];
    const neighbours = new Neighbours(reader);
    expect(links(neighbours).at(-1)).toEqual([last, moved, 0]);
    file.prepare("UPDATE memories SET space = 'p1' WHERE id = ?").run(moved);
    neighbours.forget();
    expect(links(neighbours)).toEqual([
      [first, 0, last],
      [moved, 0, 0],
      [last, first, 0],
    ]);
  });

  it("is the same for what is lent, in whatever order the lenders were found", () => {
    const rows = 3000;
    file.transaction(() => {
      for (let step = 0; step < rows; step++) add(`s${step % 900}`);
    })();
    const neighbours = new Neighbours(reader);
    neighbours.follow(newest());
    const found = Array.from({ length: rows / 3 }, (_, at) => 3 * at + 1);
    const scores = new Float32Array(rows + 1);
    for (const id of found) scores[id] = 1;
    const lengths = new Uint16Array(rows + 1).fill(9);
    const borrowersOf = (ids: readonly number[]) => {
      const near = new Neighbourhood();
      near.gather(
        { ids: Uint32Array.from(ids), scores },
        { neighbours, rows: { upTo: rows, scopes: ONE_SCOPE, lengths } },
      );
      return near.members.slice(0, near.borrowers).sort((a, b) => a - b);
    };
    const lent = borrowersOf(found);
    expect(lent.length).toBeGreaterThan(200);
    expect(borrowersOf(found.toReversed())).toEqual(lent);
    expect(borrowersOf([...found.slice(300), ...found.slice(0, 300)])).toEqual(lent);
  });

  it("is asked for in one scope: what lies in another is passed over", () => {
    for (let step = 0; step < 4; step++) add("a");
    const neighbours = new Neighbours(reader);
    links(neighbours);
    const scopes = Uint32Array.from([0, 1, 2, 0, 1]);
    expect([1, 2, 4].map((id) => [neighbours.before(id, scopes), neighbours.after(id, scopes)])).toEqual([
      [0, 4],
      [0, 0],
      [1, 0],
    ]);
  });
});
