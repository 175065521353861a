import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localCaller } from "@chest/core/access";
import { TABLE_IDENTITY } from "@chest/core/embedding";
import { onPrompt, promptHookInput } from "@chest/core/hooks";
import { localExecutor } from "@chest/core/pipeline";
import { noEmbedder, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { openBuiltinEmbedder } from "@chest/models";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FACTS, WITH_ANSWER, WITHOUT_ANSWER } from "./prompts.ts";

const ANSWERED = 0.8;
const DISTURBED = 0.15;

const caller = localCaller("host/org/shop");
const signal = new AbortController().signal;

describe.each([
  ["words alone", noEmbedder],
  ["words and the table", openBuiltinEmbedder()],
])("a prompt, by %s", (_, embedder) => {
  const folder = mkdtempSync(join(tmpdir(), "chest-passive-"));
  const ports = { clock: systemClock, embedders: () => embedder, limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING };
  const keys = new Map<number, string>();
  let engine: Awaited<ReturnType<typeof openSqliteEngine>>;

  beforeAll(async () => {
    engine = await openSqliteEngine({
      path: join(folder, "chest.db"),
      active: TABLE_IDENTITY,
      clock: systemClock,
      // The budget is generous because a busy machine must not lose a hint.
      searchTimeoutMs: 30_000,
    });
    const { execute } = localExecutor(TOOLS, engine, ports);
    for (const { key, layer, content } of FACTS) {
      const fact = { entity_name: "shop", entity_kind: "project", layer, content, importance: 0.6 };
      const { memory_id } = await execute("chest_remember", fact, { caller, requestId: key, signal });
      keys.set(Number(memory_id), key);
    }
  }, 60_000);
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function shownFor(prompt: string): Promise<string[]> {
    const store = engine.as({ caller, requestId: prompt, signal });
    const answer = await onPrompt(promptHookInput.parse({ prompt }), { ...ports, store, signal }, caller);
    return "shown" in answer ? answer.shown.flatMap((id) => keys.get(id) ?? []) : [];
  }

  it(`shows the answer among three for at least ${ANSWERED} of the prompts that have one`, async () => {
    const missed: string[] = [];
    for (const { prompt, answers } of WITH_ANSWER) {
      const shown = await shownFor(prompt);
      if (!answers.some((key) => shown.includes(key))) missed.push(`${prompt} (${shown.join(", ") || "nothing"})`);
    }
    const share = 1 - missed.length / WITH_ANSWER.length;
    expect(share, missed.join("\n")).toBeGreaterThanOrEqual(ANSWERED);
  }, 60_000);

  it(`shows anything for at most ${DISTURBED} of the prompts that have none`, async () => {
    const disturbed: string[] = [];
    for (const prompt of WITHOUT_ANSWER) {
      const shown = await shownFor(prompt);
      if (shown.length > 0) disturbed.push(`${prompt} (${shown.join(", ")})`);
    }
    expect(disturbed.length / WITHOUT_ANSWER.length, disturbed.join("\n")).toBeLessThanOrEqual(DISTURBED);
  }, 60_000);
});
