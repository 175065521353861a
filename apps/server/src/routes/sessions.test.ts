import { gzipSync } from "node:zlib";
import { BODY_LIMITS } from "@chest/contracts";
import { transcriptOf } from "@chest/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "../testing/sqlite-app.ts";

const ALICE = { member: "alice", project: "host/org/apple" };
const BOB = { member: "bob", project: "host/org/apple" };
const SECRET = ["ghp", "b".repeat(36)].join("_");

let backend: SqliteApp;
let made = 0;
let session = "";
beforeAll(async () => {
  backend = await openSqliteApp();
});
afterAll(() => backend.close());
beforeEach(() => {
  made += 1;
  session = `session-${made}`;
});

const send = (lines: readonly string[], over: { from?: number; by?: TestRequester; type?: string } = {}) => {
  const { from, by = ALICE, type = "application/x-ndjson" } = over;
  const url = `/api/hooks/sync-session${from === undefined ? "" : `?from_line=${from}`}`;
  return backend.post(url, lines.map((line) => `${line}\n`).join(""), { ...by, headers: { "content-type": type } });
};
const aSession = () => {
  const { user, edits, says } = transcriptOf(session);
  return [
    user(`Let the heron ${made} sleep until the morning, please.`),
    says("The alarm goes off too early."),
    edits("/home/dev/acme/src/heron.ts", `const key = "${SECRET}"`),
  ];
};

describe("POST /api/hooks/sync-session", () => {
  it("accepts a transcript under any content type, and the same lines again change nothing", async () => {
    const lines = aSession();
    for (const [nth, type] of ["application/x-ndjson", "text/plain", "application/json", "no/type at all"].entries()) {
      const { status, body } = await send(lines, { type });
      expect([status, body]).toMatchObject([
        200,
        {
          ok: true,
          sessionId: session,
          projectName: "apple",
          next_line: 3,
          skipped_lines: 0,
          memoriesInserted: nth === 0 ? 3 : 0,
          editsInserted: nth === 0 ? 1 : 0,
        },
      ]);
    }
  });

  it("reports the result of a dry run, and stores nothing", async () => {
    const send = (query: string) =>
      backend.post(
        `/api/hooks/sync-session${query}`,
        aSession()
          .map((line) => `${line}\n`)
          .join(""),
        {
          ...ALICE,
          headers: { "content-type": "application/x-ndjson" },
        },
      );
    const dry = await send("?dry_run=1");
    expect(dry).toMatchObject({ status: 200, body: { memoriesInserted: 3, editsInserted: 1 } });
    const { memories } = await backend.tool("chest_recall", { query: `heron ${made} morning`, journal: true }, BOB);
    expect(JSON.stringify(memories)).not.toContain(`heron ${made} `);
    expect((await send("")).body.memories).toEqual(dry.body.memories);
    expect((await send("?dry_run=1")).body).toMatchObject({ memoriesInserted: 0, editsInserted: 0 });
    for (const query of ["?dry_run=yes", "?keep_old=forever"]) {
      expect(await send(query)).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } });
    }
  });

  it("makes its memories findable by their words at once, in that project and without secrets", async () => {
    await send(aSession());
    const { memories } = await backend.tool("chest_recall", { query: `heron ${made} morning`, journal: true }, BOB);
    expect(memories[0].content).toContain(`Let the heron ${made} sleep`);
    expect(JSON.stringify(await backend.tool("chest_recall", { query: "heron", journal: true }, ALICE))).not.toContain(
      SECRET,
    );
    const elsewhere = { ...BOB, project: "host/org/pear" };
    const found = await backend.tool("chest_recall", { query: `heron ${made} morning`, journal: true }, elsewhere);
    expect(JSON.stringify(found)).not.toContain(`heron ${made} `);
  });

  it("imports only new lines, and says from which line it needs the rest", async () => {
    const { user } = transcriptOf(session);
    await send(aSession());
    const next = user("Never wake the heron before it has been fed at the pond.");
    expect((await send([next], { from: 3 })).body).toMatchObject({ memoriesInserted: 1, next_line: 4 });
    expect(await send([next], { from: 9 })).toMatchObject({
      status: 409,
      body: { error: { code: "VERSION_CONFLICT", details: { expected: 4, actual: 9 } } },
    });
    expect((await send([next], { from: -1 })).status).toBe(400);
  });

  it("counts a broken line and imports the others", async () => {
    const { body } = await send(["null", "{", ...aSession(), "7"]);
    expect(body).toMatchObject({ memoriesInserted: 3, skipped_lines: 3, next_line: 6 });
  });

  it("says so when there is nothing to import", async () => {
    const { user } = transcriptOf("%");
    for (const lines of [[], [""], ["null"], ['{"type":"user"}'], [user("from a session whose name is no name")]]) {
      expect(await send(lines)).toMatchObject({
        status: 200,
        body: { ok: true, skipped: true, reason: "no_usable_line" },
      });
    }
  });

  it("imports a session under an id that another member uses, without a hint of that", async () => {
    const lines = aSession();
    const others = lines.map((line) => line.replaceAll(session, `${session}-unused`));
    const unused = await send(others, { by: { ...BOB, project: "host/org/pear" } });
    await send(lines);
    const used = await send(lines, { by: { ...BOB, project: "host/org/plum" } });
    const told = ({ status, body: { sessionId, projectName, ...body } }: typeof used) => ({ status, body });
    expect(told(used)).toEqual(told(unused));
    expect(told(used)).toMatchObject({ status: 200, body: { ok: true, next_line: 3, editsInserted: 1 } });
  });

  it("results in one session when several clients send it at once", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(aSession())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.memoriesInserted, 0)).toBe(3);
  });

  it("does not read half of a last line, but waits for the rest", async () => {
    const [first = "", second = "", third = ""] = aSession();
    const url = "/api/hooks/sync-session";
    const half = `${first}\n${second}\n${third.slice(0, 60)}`;
    expect((await backend.post(url, half, ALICE)).body).toMatchObject({ next_line: 2, skipped_lines: 0 });
    expect((await send([third], { from: 2 })).body).toMatchObject({ next_line: 3, editsInserted: 1 });
  });

  it("counts the empty lines between others as lines", async () => {
    const [first = "", second = "", third = ""] = aSession();
    const gap = Array.from({ length: 5 }, () => "");
    expect((await send([first, ...gap, second, "", ""])).body).toMatchObject({ next_line: 9, skipped_lines: 0 });
    expect((await send([first, ...gap, second, "", ""])).body).toMatchObject({ next_line: 9, lines: 0 });
    expect((await send(["", "", third], { from: 7 })).body).toMatchObject({ next_line: 10, editsInserted: 1 });
  });

  it("refuses a body over its limit, and reads one just below", async () => {
    const pad = JSON.stringify({ type: "system", text: "x".repeat(1024 * 1024) });
    const many = (count: number) => [...aSession(), ...Array.from({ length: count }, () => pad)];
    expect((await send(many(45))).status).toBe(200);
    const { status, body } = await send(many(51));
    expect([status, body.error.details.limit_bytes]).toEqual([413, BODY_LIMITS.sessionSync]);
  });

  it("reads no compressed body as if it were lines", async () => {
    const body = gzipSync(aSession().join("\n"));
    expect((await backend.post("/api/hooks/sync-session", body, ALICE)).body).toMatchObject({ skipped: true });
  });
});

describe("POST /api/hooks/prompt, in a session that found something out", () => {
  const SETTLED = "Root cause: the egret exporter reads its cache before the nightly job has written it.";
  const found = ({ user, runs, result, says }: ReturnType<typeof transcriptOf>) => [
    user("Find out why the egret exporter shows the numbers of yesterday."),
    runs("npm run export", "r1"),
    result("r1"),
    says(SETTLED),
  ];
  const prompt = (over: object = {}, by: TestRequester = ALICE) =>
    backend.post(
      "/api/hooks/prompt",
      { session_id: session, prompt: "Write the changelog of the pelican now", ...over },
      by,
    );

  it("asks the agent once to save it, in a line", async () => {
    await send(found(transcriptOf(session)));
    const { body } = await prompt();
    expect(body).toMatchObject({ unsaved: "asked", shown: [] });
    expect(body.context).toContain("chest_remember");
    expect(body.context).toContain("the egret exporter reads its cache");
    expect(body.context).not.toContain("\n");
    expect((await prompt({ prompt: "ペリカンの変更履歴を書いてください" })).body.context).toContain("保存");
    expect((await prompt({ is_asked: true })).body).toEqual({ ok: true });
  });

  it("does not ask where the agent saved something, and asks no other session", async () => {
    const script = transcriptOf(session);
    const saved = [script.remembers("s1", SETTLED), script.answer("s1", JSON.stringify({ ok: true, memory_id: 1 }))];
    await send([...found(script), ...saved]);
    expect((await prompt()).body).toEqual({ ok: true });
    session = `${session}-b`;
    await send(found(transcriptOf(session)));
    expect((await prompt({}, BOB)).body).toEqual({ ok: true });
    expect((await prompt()).body).toMatchObject({ unsaved: "asked" });
  });

  it("does not ask a session that found nothing out", async () => {
    await send(aSession());
    expect((await prompt()).body).toEqual({ ok: true });
  });
});
