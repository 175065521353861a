import { endpoints } from "@chest/contracts";
import { transcriptOf } from "@chest/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "../testing/sqlite-app.ts";

let backend: SqliteApp;
beforeAll(async () => {
  backend = await openSqliteApp();
});
afterAll(() => backend.close());

const ALICE: TestRequester = { member: "alice", project: "host/org/apple" };
const BOB: TestRequester = { member: "bob", project: "host/org/apple" };

interface Step {
  readonly kind: string;
  readonly at: number;
  readonly text?: string;
  readonly path?: string;
  readonly times?: number;
  readonly surface?: string;
  readonly tokens?: number;
  readonly memories?: readonly { readonly id: number; readonly tokens: number }[];
  readonly memory?: { readonly id: number };
}

const sync = async (id: string, lines: readonly string[], by: TestRequester) => {
  const body = lines.map((line) => `${line}\n`).join("");
  const { status } = await backend.post("/api/hooks/sync-session", body, by);
  expect(status).toBe(200);
  return id;
};
const replay = async (id: string, by: TestRequester) => {
  const { status, body } = await backend.get(`/api/sessions/${id}`, by);
  if (status === 200) expect(endpoints.session.response.safeParse(body).error).toBeUndefined();
  return { status, ...body } as { status: number; steps: readonly Step[]; [key: string]: unknown };
};
const shownIn = (steps: readonly Step[] = []) => steps.filter(({ kind }) => kind === "shown");
/** Waits until the record of shown memories is written, which happens in batches. */
const untilShown = (id: string, blocks: number, by: TestRequester) =>
  vi.waitFor(async () => expect(shownIn((await replay(id, by)).steps)).toHaveLength(blocks), { timeout: 10_000 });

it("tells a session in order of time: asked, shown with its tokens, edited, remembered, left", async () => {
  const known = await backend.store("The heron gateway drops idle sockets after sixty seconds.", {}, ALICE);
  const { user, edits } = transcriptOf("heron-1");
  await sync(
    "heron-1",
    [
      user("Make the heron gateway keep idle sockets open for two minutes, please."),
      edits("/home/dev/acme/src/gateway.ts"),
      edits("/home/dev/acme/src/gateway.ts"),
    ],
    ALICE,
  );
  const asked = { session_id: "heron-1", prompt: "why does the heron gateway drop sockets?" };
  const { body } = await backend.post("/api/hooks/prompt", asked, ALICE);
  expect(body.shown).toEqual([known]);
  const stored = await backend.store(
    "Heron keeps sockets for two minutes since the gateway's second release.",
    {},
    {
      ...ALICE,
      headers: { "x-chest-session": "heron-1" },
    },
  );
  await backend.post("/api/hooks/session-end", { session_id: "heron-1" }, ALICE);
  await untilShown("heron-1", 1, ALICE);

  const told = await replay("heron-1", ALICE);
  expect(told).toMatchObject({
    author: "alice",
    project: "host/org/apple",
    name: "Make the heron gateway keep idle sockets open for two minutes, please.",
    files: 1,
  });
  const kinds = told.steps.map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["prompt", "edit", "shown", "remembered", "left"]));
  expect(told.steps.map(({ at }) => at)).toEqual(told.steps.map(({ at }) => at).toSorted((a, b) => a - b));
  expect(told.steps.find(({ kind }) => kind === "edit")).toMatchObject({
    path: expect.stringContaining("gateway.ts"),
    times: 2,
  });
  const [block] = shownIn(told.steps);
  expect(block).toMatchObject({ surface: "prompt", memories: [{ id: known }] });
  expect(block?.tokens).toBeGreaterThan(10);
  expect(told.tokens).toBe(block?.tokens);
  expect(told.steps.find(({ kind }) => kind === "remembered")?.memory?.id).toBe(stored);
});

it("shows a reader what it may see of a session, and counts nothing of the rest", async () => {
  const open = await backend.store("The curlew importer reads tides from the harbour office.", {}, ALICE);
  const own = await backend.store(
    "The curlew importer has a backdoor for alice alone.",
    { visibility: "private" },
    ALICE,
  );
  const { user } = transcriptOf("curlew-1");
  await sync("curlew-1", [user("Why does the curlew importer read tides twice a day, please?")], ALICE);
  const asked = { session_id: "curlew-1", prompt: "what does the curlew importer read, and does it have a backdoor?" };
  const { body } = await backend.post("/api/hooks/prompt", asked, ALICE);
  expect(new Set(body.shown)).toEqual(new Set([open, own]));
  await untilShown("curlew-1", 1, ALICE);

  const [whole] = shownIn((await replay("curlew-1", ALICE)).steps);
  const seen = await replay("curlew-1", BOB);
  const [part] = shownIn(seen.steps);
  expect(whole?.memories?.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([open, own]);
  expect(part?.memories?.map(({ id }) => id)).toEqual([open]);
  expect(part?.tokens).toBe(part?.memories?.[0]?.tokens);
  expect(seen.tokens).toBe(part?.tokens);
  expect(JSON.stringify(seen)).not.toContain("backdoor");
  expect(seen.steps.some(({ kind }) => kind === "left")).toBe(false);
});

it("finds no session of which the reader may see nothing", async () => {
  const hidden = { ...ALICE, project: "host/org/closed" };
  await backend.store(
    "The dotterel vault opens at noon.",
    { visibility: "private" },
    {
      ...hidden,
      headers: { "x-chest-session": "dotterel-1" },
    },
  );
  expect((await replay("dotterel-1", ALICE)).status).toBe(200);
  const [refused, unknown] = [await replay("dotterel-1", BOB), await replay("no-such-session", BOB)];
  expect([refused.status, unknown.status]).toEqual([404, 404]);
  expect(refused.error).toEqual(unknown.error);
});

it("lists sessions by their first request, and filters them by member and days", async () => {
  const { user } = transcriptOf("bob-1");
  await sync("bob-1", [user("Teach the redshank exporter to write credit notes by month, please.")], BOB);
  const list = async (query: string) =>
    (await backend.get(`/api/sessions?project=*${query}`, BOB)).body as {
      total: number;
      sessions: readonly { session_id: string; name: string; author: string; files: number }[];
    };
  const ofBob = await list("&author=bob");
  expect(ofBob).toMatchObject({
    total: 1,
    sessions: [{ session_id: "bob-1", name: "Teach the redshank exporter to write credit notes by month, please." }],
  });
  expect((await list("&author=carol")).total).toBe(0);
  expect((await list("&until=2020-01-01")).total).toBe(0);
  expect((await list("&since=2020-01-01")).total).toBe((await list("")).total);
});
