import { captureTranscript } from "@chest/core/transcript";
import { expect, it } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aDesk, type Desk } from "../desk.ts";
import { transcriptOf } from "../transcript.ts";
import { aHouse } from "./house.ts";

const RULE = "From now on never deploy the walrus service on a Friday.";

let sessions = 0;

/** Requirements on forgetting through the tools: what is wrong or unwanted does not come back by itself. */
export function forgottenToolsContract(open: OpenEngine): void {
  const house = aHouse(open);

  /** Captures a session that says the rule and edits a file. */
  async function session(desk: Desk) {
    sessions += 1;
    const id = `forgotten-${sessions}`;
    const { user, edits } = transcriptOf(id);
    const lines = [user(RULE), edits("/home/dev/acme/src/walrus.ts")];
    const ports = { store: house.as({ caller: desk.caller }), clock: house.clock };
    const report = await captureTranscript(() => lines, {}, ports, desk.caller);
    return { id, forgotten: report?.memories.forgotten };
  }
  const said = async (desk: Desk, of: string) => {
    const [listed, recalled] = await Promise.all([
      desk.inspect({ view: "session", session_id: of }),
      desk.recall({ query: "walrus service", journal: true }),
    ]);
    return JSON.stringify([listed.items, recalled.memories]);
  };

  it.each([
    ["its id", (desk: Desk, memory_id: number) => desk.forget({ memory_id })],
    ["one of several ids", (desk: Desk, id: number) => desk.forget({ ids: [id], confirm: true })],
    ["an update", (desk: Desk, memory_id: number) => desk.update({ memory_id, archived: true })],
  ])("by %s: no later session brings it back, and no journal tells it", async (_, forget) => {
    const desk = aDesk(house);
    const first = await session(desk);
    const [id = 0] = await desk.find("walrus service");
    expect(await said(desk, first.id)).toContain("on a Friday");

    await forget(desk, id);
    expect(await session(desk)).toMatchObject({ forgotten: 1 });
    expect(await desk.find("walrus service")).toEqual([]);
    expect(await said(desk, first.id)).not.toContain("on a Friday");

    await desk.update({ memory_id: id, archived: false });
    expect(await desk.find("walrus service")).toEqual([id]);
    expect(await said(desk, first.id)).toContain("on a Friday");
    expect(await session(desk)).toMatchObject({ forgotten: 0 });
  });

  it("until it is saved again on purpose", async () => {
    const desk = aDesk(house);
    const first = await session(desk);
    const [id] = await desk.find("walrus service");
    await desk.forget({ memory_id: id });
    const again = await desk.store(RULE.toLowerCase());
    expect(await said(desk, first.id)).toContain("on a Friday");
    await desk.forget({ memory_id: again });
    expect(await session(desk)).toMatchObject({ forgotten: 1 });
  });

  it("but not by a sweep, a merge or a successor", async () => {
    const desk = aDesk(house);
    await session(desk);
    const [id] = await desk.find("walrus service");
    await desk.store("The walrus service is deployed on any day.", { supersedes: [id] });
    expect(await session(desk)).toMatchObject({ forgotten: 0 });
  });
}
