import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openJournal } from "../session/session-journal.ts";
import { eventOf } from "../testing/event-context.ts";
import { userPrompt } from "./user-prompt.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "chest-prompt-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const say = (session: string, prompt: string) =>
  userPrompt(eventOf({ dataDir, session, input: { prompt }, place: {} }).eventContext);

it("keeps a session in its own language, whatever another one speaks meanwhile", async () => {
  await say("before", "아이템 저장소를 어떻게 옮기나요");
  await say("mine", "아이템 저장소를 다시 옮겨 주세요");
  await say("other", "move the store of items once more");
  expect(openJournal(dataDir, "mine").read().language).toBe("ko");
});
