import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Caller, localCaller, openAccessAdmin, spaceOf } from "@chest/core/access";
import { localExecutor } from "@chest/core/pipeline";
import { systemClock } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { aCall, aCaller, testPorts } from "@chest/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteEngine, type SqliteEngine } from "../index.ts";

const KEY = "git.example/acme/secret";
let folder: string;
let path: string;
let engine: SqliteEngine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "chest-join-"));
  path = join(folder, "chest.db");
  engine = await openSqliteEngine({ path, synchronous: "NORMAL" });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const admin = () => openAccessAdmin(engine.access, localCaller(undefined), systemClock);

async function member(name: string, project?: string, projects?: readonly string[]): Promise<Caller> {
  const { token } = await admin().createToken({ member: name, ...(projects && { projects }) });
  const bearer = await engine.access.bearer(token);
  if (!bearer) throw new Error("a token that was just made is none");
  return { ...bearer, project, client: { name: "test", version: "1" } };
}

async function call(caller: Caller, tool: string, input: object) {
  const ports = { ...testPorts(), clock: systemClock };
  return localExecutor(TOOLS, engine, ports).execute(tool, input, aCall({ caller })) as Promise<
    Record<string, unknown> & { memory_id: number; memories: { id: number }[] }
  >;
}

const remember = async (caller: Caller, content: string, over: object = {}) =>
  (
    await call(caller, "chest_remember", {
      entity_name: "acme",
      entity_kind: "project",
      layer: "learning",
      content,
      ...over,
    })
  ).memory_id;
const find = async (caller: Caller, query: string, over: object = {}) =>
  (await call(caller, "chest_recall", { query, ...over })).memories.map(({ id }) => id).sort((a, b) => a - b);

/** Closes the store, gives its projects the keys that an earlier release kept, and opens it with this one. */
async function reopenWith(spellings: Readonly<Record<string, string>>): Promise<void> {
  await engine.close();
  const db = new Database(path);
  for (const [now, then] of Object.entries(spellings))
    db.prepare("UPDATE projects SET key = ? WHERE key = ?").run(then, now);
  db.close();
  engine = await openSqliteEngine({ path, synchronous: "NORMAL" });
}

it("gives a project that was stored in another spelling the one that agents use", async () => {
  const alice = await member("alice", "was");
  const id = await remember(alice, "the wombat digs at night");
  await admin().setProject({ key: "was", access: "members", add: ["alice"] });

  await reopenWith({ was: "https://svc:Pa55word9@Git.Example/acme/secret.git" });

  expect(await admin().listProjects()).toEqual([{ key: KEY, access: "members", members: ["alice"] }]);
  expect(await find({ ...alice, project: KEY }, "wombat")).toEqual([id]);
  expect(await find(await member("carol"), "wombat", { project: "*" })).toEqual([]);
});

it("lets the one key of a repository lead to a project that keeps another spelling, and joins none by itself", async () => {
  const alice = await member("alice");
  const spelt = (project: string): Caller => ({ ...alice, project });
  const ids = [await remember(spelt("old"), "the quoll is old"), await remember(spelt("shut"), "the quoll is shut in")];
  ids.push(await remember(spelt("open"), "the quoll is open"));
  await admin().setProject({ key: "shut", access: "members", add: ["alice"] });

  await reopenWith({ old: "github.com/Acme/Old", shut: "github.com/Acme/Two", open: "github.com/acme/TWO" });

  expect(await admin().listProjects()).toEqual([
    { key: "github.com/Acme/Old", access: "open", aliases: ["github.com/acme/old"] },
    { key: "github.com/Acme/Two", access: "members", members: ["alice"], aliases: ["github.com/acme/two"] },
    { key: "github.com/acme/TWO", access: "open", similar: ["github.com/Acme/Two"] },
  ]);
  expect(await find(spelt("github.com/ACME/old"), "quoll")).toEqual([ids[0]]);
  expect(await find(spelt("github.com/Acme/Two"), "quoll")).toEqual([ids[1]]);
  expect(await find(spelt("github.com/acme/TWO"), "quoll")).toEqual([ids[2]]);
  // A third spelling comes to the closed one: it lets no other member in.
  const bob = { ...(await member("bob")), project: "github.com/acme/two" };
  await expect(remember(bob, "a quoll of bob")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("makes one project of several spellings, open to nobody whom one of them was closed to", async () => {
  const alice = await member("alice", "closed");
  const bob = await member("bob", "open");
  const carol = await member("carol", "shut");
  const ids = [
    await remember(alice, "the quokka is the first"),
    await remember(bob, "the quokka is the second"),
    await remember(bob, "the quokka is mine alone", { visibility: "private" }),
    await remember(carol, "the quokka is the third"),
    await remember(bob, "the quokka is the fourth, put away"),
  ] as const;
  await call(bob, "chest_forget", { memory_id: ids[4] });
  await admin().setProject({ key: "closed", access: "members", add: ["alice", "carol"] });
  await admin().setProject({ key: "shut", access: "members", add: ["alice", "bob"] });
  const { id: token } = await admin().createToken({ member: "alice", projects: ["open", "closed"] });

  await reopenWith({ closed: KEY, open: `https://${KEY}.git`, shut: "git@git.example:acme/secret.git" });

  expect(await admin().listProjects()).toEqual([{ key: KEY, access: "members", members: ["alice"] }]);
  expect((await admin().listTokens({})).find(({ id }) => id === token)).toMatchObject({ projects: [KEY] });
  expect(await find({ ...alice, project: KEY }, "quokka")).toEqual([ids[0], ids[1], ids[3]]);
  expect(await find({ ...alice, project: KEY }, "quokka", { include_archived: true })).toContain(ids[4]);
  for (const other of [bob, carol]) {
    expect(await find({ ...other, project: KEY }, "quokka")).toEqual([]);
    expect(await find({ ...other, project: undefined }, "quokka", { project: "*" })).toEqual([]);
  }
  await admin().setProject({ key: KEY, add: ["bob"] });
  expect(await find({ ...bob, project: KEY }, "quokka")).toEqual([ids[0], ids[1], ids[2], ids[3]]);
});

it("joins once, keeps the text index whole, and says in the audit log that it did", async () => {
  await remember(await member("alice", "one"), "a fact of one");
  await remember(await member("bob", "two"), "a fact of two");
  await reopenWith({ one: KEY, two: `${KEY}/` });

  const db = new Database(path);
  try {
    db.prepare("INSERT INTO memory_fts (memory_fts, rank) VALUES ('integrity-check', 1)").run();
    const spaces = db.prepare("SELECT DISTINCT space FROM memories").pluck().all();
    const scopes = db.prepare("SELECT DISTINCT scope FROM memory_text").pluck().all();
    const [id] = db.prepare("SELECT id FROM projects").pluck().all() as number[];
    expect(spaces).toEqual([spaceOf("project", aCaller().member, id)]);
    expect(scopes).toEqual(spaces);
    expect(db.prepare("SELECT subject FROM audit_log WHERE op = 'project.join'").pluck().all()).toEqual([
      `project:${id}`,
    ]);
  } finally {
    db.close();
  }
  await reopenWith({});
  const again = new Database(path, { readonly: true });
  expect(again.prepare("SELECT count(*) FROM audit_log WHERE op = 'project.join'").pluck().get()).toBe(1);
  again.close();
});

it("makes one of what both knew under a name, and takes along what only one did", async () => {
  const alice = await member("alice");
  const spelt = (project: string): Caller => ({ ...alice, project });
  const both = { entity_name: "The Boiler", entity_kind: "concept" };
  const ids = [
    await remember(spelt("one"), "the boiler is lit at six", both),
    await remember(spelt("one"), "a second thing of the boiler", both),
    await remember(spelt("two"), "the boiler was swept in May", { ...both, entity_key: "boiler-7" }),
    await remember(spelt("two"), "the chimney is tall", { entity_name: "Chimney", entity_kind: "concept" }),
    await remember(spelt("two"), "my own word on the boiler", { ...both, visibility: "private" }),
  ].sort((a, b) => a - b);

  await reopenWith({ one: KEY, two: `https://${KEY}.git` });

  const reader = spelt(KEY);
  const named = async (entity_name: string) =>
    (await call(reader, "chest_recall", { entity_name })).memories.map(({ id }) => id).sort((a, b) => a - b);
  expect(await named("the boiler")).toEqual([ids[0], ids[1], ids[2], ids[4]]);
  expect(await named("chimney")).toEqual([ids[3]]);
  expect(await call(reader, "chest_list_entities", {})).toMatchObject({
    entities: expect.arrayContaining([expect.objectContaining({ name: "The Boiler", canonical_key: "boiler-7" })]),
  });
  await remember(reader, "a later word on the boiler", both);
  expect(await named("the boiler")).toHaveLength(5);
});
