import { captureTranscript } from "@chest/core/transcript";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { transcriptOf } from "../../transcript.ts";
import { engineFixture } from "../engine-fixture.ts";

const REQUEST = "Teach the puffin importer to skip the lines that hold nothing but blanks.";

let sessions = 0;

/** Requirements on the journal of sessions: it is there for who asks for it, and no memory. */
export function recallJournalContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  /** Sits down where a session was captured, in which a request was made and a file edited. */
  async function afterASession(): Promise<{ readonly agent: Agent; readonly session: string }> {
    sessions += 1;
    const session = `journal-${sessions}`;
    const agent = anAgent(fixture);
    const { user, edits } = transcriptOf(session);
    const lines = [user(REQUEST), edits("/home/dev/acme/src/puffin.ts")];
    await captureTranscript(
      () => lines,
      {},
      { store: fixture.as({ caller: agent.caller }), clock: fixture.clock },
      agent.caller,
    );
    return { agent, session };
  }
  const journalOf = async (agent: Agent, session: string) =>
    (await agent.inspect({ view: "session", session_id: session })).items as { id: number; content: string }[];

  it("is left out of a question, and found by who asks for it, by its session and by its ids", async () => {
    const { agent, session } = await afterASession();
    const rows = await journalOf(agent, session);
    expect(rows.map(({ content }) => content)).toContain(REQUEST);
    expect(await agent.recall({ query: "puffin importer" })).toMatchObject({ count: 0, total_candidates: 0 });
    expect(await agent.recall({ session_id: session })).toMatchObject({ count: 0, total_candidates: 0 });
    const ids = rows.map(({ id }) => id);
    const found = await agent.find("puffin", { journal: true });
    expect(found.length).toBeGreaterThan(1);
    expect(ids).toEqual(expect.arrayContaining([...found]));
    expect((await agent.recall({ ids })).memories.map(({ id }) => id)).toEqual(ids);
  });

  it("waits for no vectors: it is searched by words, and what a member makes a memory of it gets one", async () => {
    const { agent, session } = await afterASession();
    const store = fixture.as({ caller: agent.caller });
    const { active, next } = await store.identities();
    const other = next ?? { ...active, model: "another" };
    const pending = async () => [
      await store.memories.countPending("here", active),
      (await store.memories.pending(other, 0, 10)).remaining,
    ];
    const [before] = await pending();
    expect(before).toBe(0);
    const [row] = await journalOf(agent, session);
    await agent.update({ memory_id: row?.id, importance: 0.7 });
    const [after, ofAnother] = await pending();
    expect([after, ofAnother]).toEqual([1, 1]);
  });

  it("is no twin of what is saved on purpose in the same words, and nothing that contradicts it", async () => {
    const { agent, session } = await afterASession();
    const [request] = (await journalOf(agent, session)).filter(({ content }) => content === REQUEST);
    const over = { entity_name: "acme", layer: "context", content: REQUEST };
    const saved = await agent.remember(over);
    expect(saved).toMatchObject({ action: "created" });
    expect(saved).not.toHaveProperty("contradicts");
    expect(saved.memory_id).not.toBe(request?.id);
    expect(await agent.find("puffin importer")).toEqual([saved.memory_id]);
    expect(await agent.remember(over)).toMatchObject({ action: "duplicate", memory_id: saved.memory_id });
    expect(await agent.inspect({ view: "duplicates" })).toMatchObject({ total: 0 });
  });

  it("has one row less once a member changes it: that is a memory then, whatever its session brings later", async () => {
    const { agent, session } = await afterASession();
    const [request] = (await journalOf(agent, session)).filter(({ content }) => content === REQUEST);
    const content = "The puffin importer skips blank lines.";
    await agent.update({ memory_id: request?.id, content });
    expect(await agent.find("puffin importer")).toEqual([request?.id]);
    expect(await journalOf(agent, session)).toContainEqual(expect.objectContaining({ id: request?.id, content }));
  });
}
