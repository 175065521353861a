import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

const ADMIN = { member: "root", scopes: ["read", "write", "operate", "admin"] } as const;
const ALICE = { member: "alice" } as const;
const CAROL = { member: "carol" } as const;
const KEY = "github.com/acme/secret";
const SPELLINGS = [
  "https://github.com/acme/secret",
  "https://alice:Pa55word9one@github.com/acme/secret.git",
  "GitHub.com/acme/secret",
  "github.com/acme/secret.git",
  "git@github.com:acme/secret.git",
  "ssh://git@github.com:22/acme/secret",
  "github.com/acme/secret/",
];

let backend: SqliteApp;
beforeEach(async () => {
  backend = await openSqliteApp();
});
afterEach(() => backend.close());

const fact = (content: string, over: object = {}) => ({
  entity_name: "acme",
  entity_kind: "project",
  layer: "learning",
  content,
  ...over,
});
const keys = async () =>
  (await backend.get("/api/projects", ADMIN)).body.projects.map(({ key }: { key: string }) => key);

describe("a closed project is closed under every spelling of its key", () => {
  beforeEach(async () => {
    await backend.post("/api/members", { name: "alice" }, ADMIN);
    await backend.post("/api/projects", { key: KEY, access: "members", add: ["alice"] }, ADMIN);
  });

  it.each(SPELLINGS)("%s, in the header and as an argument", async (spelling) => {
    const byHeader = await backend.store("the quokka launches in june", {}, { ...ALICE, project: spelling });
    const byArgument = await backend.store("the wombat launches in july", { project: spelling }, ALICE);

    expect(await keys()).toEqual([KEY]);
    for (const query of ["quokka launches", "wombat launches"]) {
      for (const project of ["*", spelling, KEY]) {
        expect(await backend.tool("chest_recall", { query, project }, CAROL)).toMatchObject({ memories: [] });
      }
    }
    const refused = await backend.tool("chest_remember", fact("let me in"), { ...CAROL, project: spelling });
    expect(refused).toMatchObject({ code: "NOT_FOUND" });
    const found = await backend.tool("chest_recall", { query: "launches", project: spelling }, ALICE);
    expect(found.memories.map(({ id }: { id: number }) => id).sort()).toEqual([byHeader, byArgument].sort());
    expect(await backend.tool("chest_list_entities", { project: spelling }, ALICE)).toMatchObject({ total: 1 });
  });

  it("is not revealed to other members by the team's memories of it", async () => {
    const by = { ...ALICE, project: KEY, headers: { "x-chest-session": "a-session" } };
    const id = await backend.store("the quokka is for all", { visibility: "team" }, by);
    const asked = [`/api/memories/${id}`, "/api/memories", "/api/views/recent", "/api/sessions", "/stats"];
    for (const path of [...asked, "/api/views/timeline?project=*", `/api/memories/${id}/graph`]) {
      const { status, body } = await backend.get(path, CAROL);
      expect([path, status, JSON.stringify(body).includes(KEY)]).toEqual([path, 200, false]);
    }
    expect((await backend.get("/api/views/timeline", { ...CAROL, project: KEY })).body).toMatchObject({ total: 0 });
  });

  it("is the same project in the administration, and in a token's list of projects", async () => {
    const opened = await backend.post("/api/projects", { key: SPELLINGS[4], access: "open" }, ADMIN);
    expect(opened.body).toEqual({ key: KEY, access: "open" });
    const token = await backend.post("/api/tokens", { member: "bob", projects: [...SPELLINGS] }, ADMIN);
    expect(token.body.projects).toEqual([KEY]);
    expect(await keys()).toEqual([KEY]);
  });
});

describe("two joined projects", () => {
  const [OLD, NEW] = ["host/org/old", "host/org/new"];
  const BOTH = { key: OLD, into: NEW };
  const launches = async (by: object, project: string) =>
    (await backend.tool("chest_recall", { query: "launches", project }, by)).memories.map(
      ({ id }: { id: number }) => id,
    );

  it("are one under either key, after a preview, until a split", async () => {
    const old = await backend.store("the quokka launches in june", {}, { ...ALICE, project: OLD });
    const now = await backend.store("the wombat launches in july", {}, { ...ALICE, project: NEW });
    const preview = await backend.post("/api/projects/join", BOTH, ADMIN);
    const { moves } = preview.body;
    expect(moves).toMatchObject({ memories: 1, tasks: 0, gaps: 0 });
    expect(preview.body).toEqual({ ...BOTH, confirmed: false, moves, access: "open" });
    expect(await launches(ALICE, NEW)).toEqual([now]);

    const done = await backend.post("/api/projects/join", { ...BOTH, confirm: true }, ADMIN);
    expect(done.body).toEqual({ ...BOTH, confirmed: true, moves, access: "open" });
    const late = await backend.store("the potoroo launches in may", {}, { ...ALICE, project: OLD });
    for (const key of [OLD, NEW]) expect((await launches(ALICE, key)).toSorted()).toEqual([old, now, late]);

    const undone = await backend.post("/api/projects/split", { key: OLD, confirm: true }, ADMIN);
    expect(undone.body).toEqual({ ...BOTH, confirmed: true, moves, access: "open" });
    expect([await launches(ALICE, OLD), (await launches(ALICE, NEW)).toSorted()]).toEqual([[old], [now, late]]);
  });

  it.each([
    ["the one that is joined", OLD],
    ["the one that it is joined to", NEW],
  ])("stay closed where one of them was closed: %s", async (_, shut) => {
    for (const project of [OLD, NEW]) await backend.store(`${project} launches`, {}, { ...ALICE, project });
    await backend.post("/api/projects", { key: shut, access: "members", add: ["alice"] }, ADMIN);
    const done = await backend.post("/api/projects/join", { ...BOTH, confirm: true }, ADMIN);
    expect(done.body).toMatchObject({ access: "members", members: ["alice"] });

    for (const split of [false, true]) {
      if (split) await backend.post("/api/projects/split", { key: OLD, confirm: true }, ADMIN);
      for (const project of [OLD, NEW, "*"]) expect(await launches(CAROL, project)).toEqual([]);
      expect((await backend.get("/api/projects", CAROL)).body.projects).toEqual([]);
      expect(await launches(ALICE, "*")).toHaveLength(2);
    }
  });

  it("are for an admin to join, and both must exist", async () => {
    for (const project of [OLD, NEW]) await backend.store("a fact", {}, { ...ALICE, project });
    for (const path of ["/api/projects/join", "/api/projects/split"])
      expect((await backend.post(path, path.endsWith("join") ? BOTH : { key: OLD }, ALICE)).status).toBe(403);
    const missing = await backend.post("/api/projects/join", { ...BOTH, into: "host/org/none" }, ADMIN);
    expect(missing.body.error).toMatchObject({ code: "NOT_FOUND", details: { id: "host/org/none" } });
    const same = await backend.post("/api/projects/join", { key: OLD, into: OLD }, ADMIN);
    expect(same.body.error).toMatchObject({ code: "INVALID_INPUT", details: { field: "into" } });
    const unjoined = await backend.post("/api/projects/split", { key: OLD }, ADMIN);
    expect(unjoined.body.error).toMatchObject({ code: "INVALID_INPUT", details: { field: "key" } });
  });
});

describe("a new project that looks like an older one", () => {
  const [OLD, NEW] = ["git.example/acme/shop", "git.example/ann/shop"];
  const JOIN = `chest-index project join ${OLD} ${NEW}`;
  const startOf = async (by: object) =>
    (await backend.post("/api/hooks/session-start", { session_id: "s", source: "startup" }, by)).body.context ?? "";
  const like = async (by: object) =>
    (await backend.get(`/api/projects?like=${encodeURIComponent(NEW)}`, by)).body.projects.map(
      ({ key, similar }: { key: string; similar?: string[] }) => [key, similar],
    );
  const save = (content: string, by: object) => backend.tool("chest_remember", fact(content), { ...by, project: NEW });

  it("is mentioned in the answer to its first save and in the list, and in no other answer", async () => {
    await backend.store("the quokka launches in june", {}, { ...ALICE, project: OLD });
    expect(await like(CAROL)).toEqual([[OLD, undefined]]);
    expect(await startOf({ ...CAROL, project: NEW })).toContain(`chest-index project rename ${OLD} ${NEW}`);

    const first = await save("the wombat launches in july", CAROL);
    expect(first.warnings).toEqual([{ reason: "similar_project", message: expect.stringContaining(JOIN) }]);
    expect(await save("the potoroo launches in may", CAROL)).not.toHaveProperty("warnings");
    expect(await startOf({ ...CAROL, project: NEW })).not.toContain(OLD);
    expect(await like(CAROL)).toEqual([[NEW, [OLD]]]);
    const listed = (await backend.get("/api/projects", CAROL)).body.projects;
    expect(listed.map(({ similar }: { similar?: string[] }) => similar)).toEqual([undefined, [OLD]]);
    await backend.post("/api/projects/join", { key: OLD, into: NEW, confirm: true }, ADMIN);
    expect(await like(CAROL)).toEqual([[NEW, undefined]]);
  });

  it("is not mentioned to a member who may not open the older one, whatever it requests", async () => {
    await backend.store("the quokka launches in june", {}, { ...ALICE, project: OLD });
    await backend.post("/api/projects", { key: OLD, access: "members", add: ["alice"] }, ADMIN);
    const limited = { member: "dora", projects: [NEW] };
    for (const by of [CAROL, limited]) {
      const answers = [
        await like(by),
        await startOf({ ...by, project: NEW }),
        await save(`by ${JSON.stringify(by)}`, by),
      ];
      expect(JSON.stringify(answers)).not.toContain(OLD);
      expect(JSON.stringify((await backend.get("/api/projects", by)).body)).not.toContain(OLD);
    }
    expect(await like(ALICE)).toEqual([[NEW, [OLD]]]);
  });

  it("is not mentioned when it is itself closed to the member", async () => {
    await backend.store("the quokka launches in june", {}, { ...ALICE, project: OLD });
    const before = await like(CAROL);
    await backend.post("/api/projects", { key: NEW, access: "members", add: ["alice"] }, ADMIN);
    expect(await like(CAROL)).toEqual(before);
    expect(await like(ALICE)).toEqual([[NEW, [OLD]]]);
  });

  it("is mentioned in no answer that is kept for a repeat", async () => {
    await backend.store("the quokka launches in june", {}, { ...ALICE, project: OLD });
    const by = { ...CAROL, project: NEW, headers: { "idempotency-key": "once" } };
    const ask = () => backend.tool("chest_remember", fact("the wombat launches in july"), by);
    expect((await ask()).warnings).toHaveLength(1);
    await backend.post("/api/projects", { key: OLD, access: "members" }, ADMIN);
    expect(JSON.stringify(await ask())).not.toContain(OLD);
  });
});

it("is reported as new to an admin who closes one without any memory", async () => {
  await backend.store("a fact", {}, { project: KEY });
  const misspelled = await backend.post("/api/projects", { key: "github.com/acme/secert", access: "members" }, ADMIN);
  const meant = await backend.post("/api/projects", { key: KEY, access: "members" }, ADMIN);

  expect(misspelled.body).toMatchObject({ is_new: true, members: [] });
  expect(meant.body).not.toHaveProperty("is_new");
});

// Concatenated, so that secret scanners do not report this file.
const SECRET = ["gh", "p_", "R2d2".repeat(9)].join("");
const UNSEEN = ["zz\nforged  open", "bell\u0007", "turned\u202e", "no\u200bwidth", "c1\u0085x"];

describe("a name that could not be shown to readers", () => {
  it.each([SECRET, `host.example/acme/${SECRET}`, "password=hunter2zz9", ...UNSEEN])("the project %j", async (key) => {
    const places = [
      () => backend.tool("chest_remember", fact("a fact", { project: key })),
      () => backend.tool("chest_remember", fact("a fact"), { project: key }),
      () => backend.tool("chest_recall", { query: "a fact", project: key }),
      async () => (await backend.post("/api/projects", { key, access: "members" }, ADMIN)).body.error,
      async () => (await backend.post("/api/tokens", { member: "bob", projects: [key] }, ADMIN)).body.error,
    ];
    for (const place of places) {
      const refused = await place();
      expect(refused).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: expect.any(String) }] } });
      expect(JSON.stringify(refused)).not.toContain(key);
    }
    expect(await keys()).toEqual([]);
  });

  it.each([SECRET, "a b", "x".repeat(129)])("the session %s", async (session) => {
    const stated = await backend.tool("chest_remember", fact("a fact"), { headers: { "x-chest-session": session } });
    expect(stated).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: "X-Chest-Session" }] } });
    const { body } = await backend.post("/api/hooks/session-end", { session_id: session });
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: "session_id" }] } });
    expect(JSON.stringify([stated, body])).not.toContain(session);
  });

  it("the session in a transcript's lines", async () => {
    const line = {
      type: "user",
      sessionId: SECRET,
      uuid: "11111111-1111-4111-8111-111111111111",
      cwd: "/srv/acme",
      timestamp: new Date().toISOString(),
      message: { role: "user", content: "remember that the build needs node 24" },
    };
    const headers = { "content-type": "application/x-ndjson" };
    const { body } = await backend.post("/api/hooks/sync-session", `${JSON.stringify(line)}\n`, { headers });
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: "session" }] } });
  });

  it("a client's name, which is ignored like one that does not parse", async () => {
    const headers = { "x-chest-client": `${SECRET}/1.0; wire=1.6.0` };
    await backend.store("a fact of an odd client", {}, { ...ALICE, headers });
    const { body } = await backend.get("/api/audit?op=chest_remember", ADMIN);
    expect(body.entries).toMatchObject([{ member: "alice", client: "unstated/1.5.0" }]);
  });

  it.each([SECRET, ...UNSEEN])("the label %j of a token", async (label) => {
    const { body } = await backend.post("/api/tokens", { member: "bob", label }, ADMIN);
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: "label" }] } });
  });

  it("a member that is a credential", async () => {
    const { body } = await backend.post("/api/members", { name: SECRET }, ADMIN);
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: "name" }] } });
  });
});

describe("a project header that cannot be used", () => {
  it.each([["a".repeat(201)], ["%zz"], ["%E0%A4%A"], ["a%00b"], ["%20"], ["*"], ["%2A"]])(
    "is refused before anything is done: %.12s",
    async (header) => {
      const headers = { "x-chest-project": header };
      for (const [method, url, payload] of [
        ["POST", "/api/tools/chest_remember", fact("for the project alone")],
        ["POST", "/api/tools/chest_recall", { query: "project" }],
        ["POST", "/api/hooks/prompt", { prompt: "what of the project" }],
        ["GET", "/memories/pending", undefined],
      ] as const) {
        const { status, body } = await backend.ask(method, url, payload, { headers });
        expect([url, status, body.error?.code]).toEqual([url, 400, "VALIDATION_ERROR"]);
        expect(body.error.message).toContain("X-Chest-Project");
        expect(body.error.hint).toMatch(/percent-encoded/);
      }
      expect(await backend.tool("chest_recall", { query: "project alone" })).toMatchObject({ memories: [] });
    },
  );

  it("counts as absent when it is empty", async () => {
    const id = await backend.store("for the team", {}, { headers: { "x-chest-project": "" } });
    expect(await backend.tool("chest_recall", { ids: [id] }, CAROL)).toMatchObject({ count: 1 });
  });
});
