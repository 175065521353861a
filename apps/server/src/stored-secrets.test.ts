import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transcriptOf } from "@chest/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openSqliteApp, type SqliteApp } from "./testing/sqlite-app.ts";

const ALICE = { member: "alice", project: "host/org/pear", scopes: ["read", "write", "operate"] } as const;
const FACT = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "the vault is in the cellar" };
const TURN = { role: "user", content: "Where is the vault?" };
const CHUNK = { kind: "function", start_line: 1, end_line: 9, hash: "ab" };
const READING = { content_hash: "abc", mtime: 1, size_bytes: 1, chunks: "[]" };

/** Every route and tool that stores text, with an input for each; the request may be refused. */
const ENTRIES: Readonly<Record<string, (backend: SqliteApp, secret: string) => Promise<unknown>>> = {
  ...Object.fromEntries(
    ["content", "title", "name", "entity_name", "entity_key", "trigger"].map((field) => [
      `${field} of a memory`,
      (backend: SqliteApp, secret: string) =>
        backend.tool("chest_remember", { ...FACT, [field]: `vault ${secret}` }, ALICE),
    ]),
  ),
  ...Object.fromEntries(
    ["tags", "evidence", "files", "source"].map((field) => [
      `${field} of a memory`,
      (backend: SqliteApp, secret: string) =>
        backend.tool("chest_remember", { ...FACT, [field]: [`vault/${secret}`] }, ALICE),
    ]),
  ),
  "a conversation": (backend, secret) =>
    backend.tool(
      "chest_conversation",
      { action: "capture", conversation_id: "c-1", messages: [{ ...TURN, content: `Is it ${secret}?` }] },
      ALICE,
    ),
  "the id of a conversation": (backend, secret) =>
    backend.tool("chest_conversation", { action: "capture", conversation_id: secret, messages: [TURN] }, ALICE),
  "those who take part in a conversation": (backend, secret) =>
    backend.tool(
      "chest_conversation",
      { action: "capture", conversation_id: "c-2", messages: [TURN], participants: { user: secret } },
      ALICE,
    ),
  ...Object.fromEntries(
    ["title", "detail", "files"].map((field) => [
      `${field} of deferred work`,
      (backend: SqliteApp, secret: string) =>
        backend.tool(
          "chest_work",
          { action: "add", title: "vault", [field]: field === "files" ? [secret] : secret },
          ALICE,
        ),
    ]),
  ),
  "a question without an answer": (backend, secret) =>
    backend.tool("chest_recall", { query: `kangaroos below zero ${secret}` }, ALICE),
  "a transcript": (backend, secret) => {
    const { user, says, edits } = transcriptOf("a-session");
    const lines = [
      user(`Always open the vault with ${secret}, please.`),
      says(`It is ${secret}.`),
      edits(`/src/${secret}.ts`),
    ];
    const headers = { "content-type": "application/x-ndjson" };
    return backend.post("/api/hooks/sync-session", lines.map((line) => `${line}\n`).join(""), { ...ALICE, headers });
  },
  "the branch of a session": (backend, secret) =>
    backend.post("/api/hooks/session-end", { session_id: "a-session", git: { branch: secret } }, ALICE),
  "the branch before a compaction": (backend, secret) =>
    backend.post("/api/hooks/precompact", { session_id: "b-session", git: { branch: secret } }, ALICE),
  "notes that are kept by hand": (backend, secret) =>
    backend.post(
      "/api/hooks/memory-files",
      {
        machine: "m",
        folder: "f",
        files: [{ path: "vault.md", text: `Open it with ${secret}`, modified_at: "2026-11-21T10:00:00Z" }],
      },
      ALICE,
    ),
  "the path of a file that was read": (backend, secret) =>
    backend.post("/api/tools/_snapshot_put", { ...READING, path: `src/${secret}.ts` }, ALICE),
  "the session that read a file": (backend, secret) =>
    backend.post("/api/tools/_snapshot_put", { ...READING, path: "a.ts", session: secret, machine: secret }, ALICE),
  "parts of a file that was read": (backend, secret) =>
    backend.post(
      "/api/tools/_snapshot_put",
      { ...READING, path: "b.ts", chunks: JSON.stringify([{ ...CHUNK, id: `function:${secret}` }]) },
      ALICE,
    ),
  "the label of a token": (backend, secret) => backend.post("/api/tokens", { label: secret, scopes: ["read"] }, ALICE),
  "the session of a request": (backend, secret) =>
    backend.tool("chest_remember", FACT, { ...ALICE, headers: { "x-chest-session": secret } }),
  "the client of a request": (backend, secret) =>
    backend.tool("chest_remember", FACT, { ...ALICE, headers: { "x-chest-client": `${secret}/1.0` } }),
  "the `User-Agent` of a request": (backend, secret) =>
    backend.tool("chest_remember", FACT, { ...ALICE, headers: { "user-agent": `${secret}/1.0` } }),
  "the project of a request": (backend, secret) => backend.tool("chest_remember", FACT, { ...ALICE, project: secret }),
};

/** Makes a credential that appears in no other request. */
const secretOf = (at: number) => `ghp_${String(at).padStart(4, "Q")}kT4vB7nM2pL5xR8wC1dF6gH3jK0sAyEu9ZqXo`;

let backend: SqliteApp;
let stored: string;
let shown: string;
beforeAll(async () => {
  backend = await openSqliteApp({ CHEST_KEEP_GAPS: "1" });
  let at = 0;
  for (const enter of Object.values(ENTRIES)) await enter(backend, secretOf(at++));
  // A search without results is recorded after its answer.
  await vi.waitUntil(async () => (await backend.get("/api/gaps", ALICE)).body.gaps.length === 1, { timeout: 15_000 });
  const folder = dirname(backend.config.store.dbPath);
  stored = readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((file) => (file.isFile() ? [readFileSync(join(file.parentPath, file.name), "latin1")] : []))
    .join("\n");
  const lists = ["/api/sessions", "/api/clients", "/api/audit", "/api/memories", "/api/work", "/api/gaps"];
  shown = JSON.stringify(await Promise.all(lists.map((list) => backend.get(list, ALICE))));
}, 60_000);
afterAll(() => backend.close());

it.each(Object.keys(ENTRIES).map((entry, at) => [entry, at] as const))("no credential is stored by %s", (_, at) => {
  const secret = secretOf(at).slice(0, 20);
  expect([stored.includes(secret), shown.includes(secret)]).toEqual([false, false]);
});

it("every stored text is scanned for secrets", () => {
  expect(stored).toContain("the vault is in the cellar");
  expect(stored).toContain("[REDACTED]");
});
