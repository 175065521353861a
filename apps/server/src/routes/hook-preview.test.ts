import { endpoints } from "@chest/contracts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "../testing/sqlite-app.ts";

let backend: SqliteApp;
beforeAll(async () => {
  backend = await openSqliteApp();
});
afterAll(() => backend.close());

const project = "host/org/apple";
const ALICE: TestRequester = { member: "alice", project };
const ADMIN: TestRequester = { member: "dana", scopes: ["read", "write", "operate", "admin"] };

interface Preview {
  readonly is_worth_asking: boolean;
  readonly blocks: readonly {
    readonly moment: string;
    readonly text: string;
    readonly tokens: number;
    readonly lines: readonly {
      readonly text: string;
      readonly tokens: number;
      readonly reason: { readonly kind: string; readonly words?: number };
      readonly memory?: { readonly id: number };
    }[];
  }[];
  readonly why_not?: { readonly memory_id: number; readonly why: string; readonly better?: number };
}
const preview = async (request: object, by: TestRequester = ALICE): Promise<Preview> => {
  const { status, body } = await backend.post("/api/hooks/preview", { project, ...request }, by);
  expect([status, body.error]).toEqual([200, undefined]);
  expect(endpoints.hookPreview.response.safeParse(body).error).toBeUndefined();
  return body;
};
const beside = ({ blocks }: Preview) => blocks.find(({ moment }) => moment === "prompt");
const idsOf = (block: ReturnType<typeof beside>) => block?.lines.flatMap(({ memory }) => memory?.id ?? []) ?? [];

it("shows exactly the block that the hook gives, with its tokens, each line with its reason", async () => {
  const id = await backend.store("The heron gateway drops idle sockets after sixty seconds.", {}, ALICE);
  const prompt = "why does the heron gateway drop sockets?";
  const seen = await preview({ prompt });
  const hook = (await backend.post("/api/hooks/prompt", { prompt, session_id: "s-1" }, ALICE)).body;
  const block = beside(seen);
  expect(block?.text).toBe(hook.context);
  expect(block?.tokens).toBeGreaterThan(20);
  expect(block?.lines).toMatchObject([{ memory: { id }, reason: { kind: "words", words: expect.any(Number) } }]);
  expect(block?.lines[0]?.text).toContain("The heron gateway");
  expect(seen.is_worth_asking).toBe(true);
});

it("shows what a session begins with, like the hook", async () => {
  await backend.store("Ship the plover rewrite before the spring.", { layer: "goal" }, ALICE);
  const start = (await preview({})).blocks.find(({ moment }) => moment === "start");
  const hook = (await backend.post("/api/hooks/session-start", { session_id: "s-2", source: "startup" }, ALICE)).body;
  expect(start?.text).toBe(hook.context);
  expect(start?.lines.some(({ reason }) => reason.kind === "goal")).toBe(true);
});

it("changes nothing: no handoff is taken, nothing counts as shown or used", async () => {
  const bird: TestRequester = { member: "erin", project: "host/org/stork" };
  const id = await backend.store("The stork ledger rounds half a cent to the even cent.", {}, bird);
  const said = {
    type: "user",
    message: { role: "user", content: "Finish the stork ledger rounding of cents, please." },
  };
  const line = { sessionId: "stork-1", uuid: "u-1", timestamp: "2026-11-21T11:59:00Z", cwd: "/home/dev/acme", ...said };
  await backend.post("/api/hooks/sync-session", `${JSON.stringify(line)}\n`, bird);
  await backend.post("/api/hooks/session-end", { session_id: "stork-1" }, bird);
  const prompt = "go on with the stork ledger rounding of cents";
  const before = (await backend.get(`/api/memories/${id}`, bird)).body.memory;
  const first = await preview({ prompt, project: bird.project }, bird);
  const second = await preview({ prompt, project: bird.project }, bird);
  expect(second).toEqual(first);
  expect(beside(first)?.lines.some(({ reason }) => reason.kind === "handoff")).toBe(true);
  const hook = (await backend.post("/api/hooks/prompt", { prompt, session_id: "stork-2", is_first: true }, bird)).body;
  expect(hook.context).toBe(beside(first)?.text);
  // The hook has taken the handoff, so the preview no longer shows it.
  expect(beside(await preview({ prompt, project: bird.project }, bird))?.text).not.toBe(hook.context);
  const { memory } = (await backend.get(`/api/memories/${id}`, bird)).body;
  expect([memory.access_count, memory.last_accessed_at]).toEqual([before.access_count, before.last_accessed_at]);
  expect((await backend.get("/api/sessions/preview", bird)).status).toBe(404);
});

it("says why a memory is not shown", async () => {
  const at: TestRequester = { member: "fay", project: "host/org/wren" };
  const store = (content: string, over: object = {}) => backend.store(content, over, at);
  const prompt = "how long does the wren exporter keep its lock file on the staging disk?";
  const kept = await store("The wren exporter keeps its lock file on the staging disk for ten minutes.");
  const far = await store("Redshank invoices are printed in Lisbon.");
  const asks = await store("How long does the wren exporter keep its lock file on the staging disk?");
  const mood = await store("The wren exporter lock file on the staging disk annoys all.", { layer: "emotion" });
  const gone = await store("The wren exporter once kept a lock file on the production disk.");
  await backend.tool("chest_forget", { memory_id: gone }, at);
  const elsewhere = await backend.store(
    "The wren exporter keeps a lock file on the staging disk.",
    { visibility: "project" },
    {
      ...at,
      project: "host/org/other",
    },
  );
  const why = async (memory_id: number) => (await preview({ prompt, project: at.project, memory_id }, at)).why_not?.why;
  expect(await why(kept)).toBe("shown");
  expect(await why(far)).toMatch(/not_found|says_little/);
  expect(await why(asks)).toBe("asks");
  expect(await why(mood)).toBe("layer");
  expect(await why(gone)).toBe("archived");
  expect(await why(elsewhere)).toBe("elsewhere");
  const quiet = await preview({ prompt: "go on", project: at.project, memory_id: kept }, at);
  expect([quiet.is_worth_asking, quiet.why_not?.why]).toEqual([false, "prompt_says_little"]);
  const own = await backend.store("A wren of alice's own.", { visibility: "private" }, ALICE);
  const { status } = await backend.post("/api/hooks/preview", { prompt, memory_id: own }, at);
  expect(status).toBe(404);
});

it("shows an admin what another member's agent would be shown, only as far as both may see it", async () => {
  const at: TestRequester = { member: "gail", project: "host/org/teal" };
  const prompt = "what does the teal scheduler do at midnight on the cluster?";
  const open = await backend.store("The teal scheduler drains the cluster at midnight.", {}, at);
  const own = await backend.store(
    "At midnight the teal scheduler on the cluster wakes gail.",
    { visibility: "private" },
    at,
  );
  const asked = { prompt, project: at.project, member: "gail" };
  expect(idsOf(beside(await preview({ prompt, project: at.project }, at))).toSorted()).toEqual([open, own].toSorted());
  const seen = await preview(asked, ADMIN);
  expect(idsOf(beside(seen))).toEqual([open]);
  expect(JSON.stringify(seen)).not.toContain("wakes gail");

  await backend.admin.setProject({ key: at.project ?? "", access: "members", add: ["dana"] });
  expect(beside(await preview(asked, ADMIN))?.text).toBe("");
  expect(idsOf(beside(await preview({ prompt, project: at.project }, ADMIN)))).toEqual([open]);
  const closed = await preview({ ...asked, memory_id: open }, ADMIN);
  expect(closed.why_not?.why).toBe("closed_to_member");

  expect((await backend.post("/api/hooks/preview", asked, ALICE)).status).toBe(403);
  expect((await backend.post("/api/hooks/preview", { ...asked, member: "nobody-here" }, ADMIN)).status).toBe(404);
});
