import { readFileSync } from "node:fs";
import { anAgent, engineFixture, testEngine } from "@chest/testing";
import { describe, expect, it } from "vitest";

interface Conversation {
  readonly id: string;
  readonly turns: readonly (readonly [user: string, assistant: string])[];
  readonly asks: readonly (readonly [question: string, turn: number])[];
}

const CONVERSATIONS: readonly Conversation[] = JSON.parse(
  readFileSync(new URL("conversations.json", import.meta.url), "utf8"),
);
/** Hours between the turns of a conversation, and since its last turn. */
const HOURS = 7;
const HOUR_MS = 3_600_000;

describe("the twenty conversations", () => {
  const fixture = engineFixture(({ clock }) => testEngine({ clock }));

  it.for([
    ["asked about each by itself", false, 0.95],
    ["asked about all of the project at once", true, 0.9],
  ] as const)("give the right turn among the three of a recall, %s", async ([, isOfAll, floor], { annotate }) => {
    const agent = anAgent(fixture);
    const wanted = new Map<string, number>();
    const now = fixture.clock.now().getTime();
    for (const { id, turns } of CONVERSATIONS) {
      for (const [at, [user, assistant]] of turns.entries()) {
        const timestamp = new Date(now - (turns.length - at) * HOURS * HOUR_MS).toISOString();
        const messages = [
          { role: "user", content: user },
          { role: "assistant", content: assistant, timestamp },
        ];
        const input = { action: "capture", conversation_id: id, messages };
        const { memory_id } = (await agent.call("chest_conversation", input)) as { memory_id: number };
        wanted.set(`${id} ${at}`, memory_id);
      }
    }
    const missed: string[] = [];
    const found = new Map<string, { asked: number; found: number }>();
    let asked = 0;
    for (const { id, asks } of CONVERSATIONS) {
      for (const [question, at] of asks) {
        const { top, next } = (await agent.call("chest_conversation", {
          action: "recall",
          conversation_id: isOfAll ? "*" : id,
          messages: [{ role: "user", content: question }],
          flashback: 0,
        })) as Record<"top" | "next", readonly { readonly id: number }[]>;
        asked += 1;
        const isFound = [...top, ...next].some((each) => each.id === wanted.get(`${id} ${at}`));
        if (!isFound) missed.push(`${id}: ${question}`);
        const [language = ""] = id.split("-");
        const counted = found.get(language) ?? { asked: 0, found: 0 };
        found.set(language, { asked: counted.asked + 1, found: counted.found + Number(isFound) });
      }
    }
    await annotate([...found].map(([language, each]) => `${language}: ${each.found} of ${each.asked}`).join(", "));
    expect(1 - missed.length / asked, missed.join("\n")).toBeGreaterThanOrEqual(floor);
    expect(asked).toBe(60);
  });
});
