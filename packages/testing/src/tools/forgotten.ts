import { captureTranscript } from "@chest/core/transcript";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { transcriptOf } from "../transcript.ts";
import { engineFixture } from "./engine-fixture.ts";

const RULE = "From now on never deploy the walrus service on a Friday.";

let sessions = 0;

/** Requirements on forgetting through the tools: what is wrong or unwanted does not come back by itself. */
export function forgottenToolsContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  /** Captures a session that says the rule and edits a file. */
  async function session(agent: Agent) {
    sessions += 1;
    const id = `forgotten-${sessions}`;
    const { user, edits } = transcriptOf(id);
    const lines = [user(RULE), edits("/home/dev/acme/src/walrus.ts")];
    const ports = { store: fixture.as({ caller: agent.caller }), clock: fixture.clock };
    const report = await captureTranscript(() => lines, {}, ports, agent.caller);
    return { id, forgotten: report?.memories.forgotten };
  }
  const said = async (agent: Agent, of: string) => {
    const [listed, recalled] = await Promise.all([
      agent.inspect({ view: "session", session_id: of }),
      agent.recall({ query: "walrus service", journal: true }),
    ]);
    return JSON.stringify([listed.items, recalled.memories]);
  };

  it.each([
    ["its id", (agent: Agent, memory_id: number) => agent.forget({ memory_id })],
    ["one of several ids", (agent: Agent, id: number) => agent.forget({ ids: [id], confirm: true })],
    ["an update", (agent: Agent, memory_id: number) => agent.update({ memory_id, archived: true })],
  ])("by %s: no later session brings it back, and no journal tells it", async (_, forget) => {
    const agent = anAgent(fixture);
    const first = await session(agent);
    const [id = 0] = await agent.find("walrus service");
    expect(await said(agent, first.id)).toContain("on a Friday");

    await forget(agent, id);
    expect(await session(agent)).toMatchObject({ forgotten: 1 });
    expect(await agent.find("walrus service")).toEqual([]);
    expect(await said(agent, first.id)).not.toContain("on a Friday");

    await agent.update({ memory_id: id, archived: false });
    expect(await agent.find("walrus service")).toEqual([id]);
    expect(await said(agent, first.id)).toContain("on a Friday");
    expect(await session(agent)).toMatchObject({ forgotten: 0 });
  });

  it("until it is saved again on purpose", async () => {
    const agent = anAgent(fixture);
    const first = await session(agent);
    const [id] = await agent.find("walrus service");
    await agent.forget({ memory_id: id });
    const again = await agent.store(RULE.toLowerCase());
    expect(await said(agent, first.id)).toContain("on a Friday");
    await agent.forget({ memory_id: again });
    expect(await session(agent)).toMatchObject({ forgotten: 1 });
  });

  it("but not by a sweep, a merge or a successor", async () => {
    const agent = anAgent(fixture);
    await session(agent);
    const [id] = await agent.find("walrus service");
    await agent.store("The walrus service is deployed on any day.", { supersedes: [id] });
    expect(await session(agent)).toMatchObject({ forgotten: 0 });
  });
}
