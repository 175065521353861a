import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localCaller } from "@chest/core/access";
import { TABLE_IDENTITY } from "@chest/core/embedding";
import { failureHookInput, onFailure } from "@chest/core/hooks";
import { localExecutor } from "@chest/core/pipeline";
import { noEmbedder, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FAILURES } from "./failures.ts";
import { FACTS } from "./prompts.ts";

const HELPED = 0.85;
const PRECISE = 0.75;
const DISTURBED = 0.05;

const caller = localCaller("host/org/shop");
const signal = new AbortController().signal;
const ports = { clock: systemClock, embedders: () => noEmbedder, limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING };
const folder = mkdtempSync(join(tmpdir(), "chest-failures-"));

/** Makes a store of a project's facts and these pitfalls. */
async function aStore(name: string, pitfalls: readonly string[]) {
  const engine = await openSqliteEngine({
    path: join(folder, `${name}.db`),
    active: TABLE_IDENTITY,
    clock: systemClock,
    // The budget is generous because a busy machine must not lose a hint.
    searchTimeoutMs: 30_000,
  });
  const { execute } = localExecutor(TOOLS, engine, ports);
  const texts = new Map<number, string>();
  for (const content of [...FACTS.map((fact) => fact.content), ...pitfalls]) {
    const memory = { entity_name: "shop", entity_kind: "project", layer: "learning", content, importance: 0.6 };
    const { memory_id } = await execute("chest_remember", memory, { caller, requestId: content, signal });
    texts.set(Number(memory_id), content);
  }
  return {
    close: () => engine.close(),
    async shownFor(command: string, output: readonly string[]): Promise<string[]> {
      const store = engine.as({ caller, requestId: command, signal });
      const asked = failureHookInput.parse({ command, error: `Exit code 1\n${output.join("\n")}`.slice(-4000) });
      const answer = await onFailure(asked, { ...ports, store, signal });
      return "shown" in answer ? answer.shown.flatMap((id) => texts.get(id) ?? []) : [];
    },
  };
}

let known: Awaited<ReturnType<typeof aStore>>;
let unknown: Awaited<ReturnType<typeof aStore>>;
beforeAll(async () => {
  const pitfalls = FAILURES.map(({ pitfall }) => pitfall);
  [known, unknown] = [await aStore("known", pitfalls), await aStore("unknown", [])];
}, 60_000);
afterAll(async () => {
  await Promise.all([known.close(), unknown.close()]);
  rmSync(folder, { recursive: true, force: true });
});

it(`helps with at least ${HELPED} of the failures that a memory names, by lines of which ${PRECISE} do`, async () => {
  const missed: string[] = [];
  let lines = 0;
  for (const { command, output, pitfall } of FAILURES) {
    const shown = await known.shownFor(command, output);
    lines += shown.length;
    if (!shown.includes(pitfall)) missed.push(`${command} (${shown.join(" | ") || "nothing"})`);
  }
  const helped = FAILURES.length - missed.length;
  expect(helped / FAILURES.length, missed.join("\n")).toBeGreaterThanOrEqual(HELPED);
  expect(helped / lines).toBeGreaterThanOrEqual(PRECISE);
}, 60_000);

it(`shows anything for at most ${DISTURBED} of the failures that no memory names`, async () => {
  const disturbed: string[] = [];
  for (const { command, output } of FAILURES) {
    const shown = await unknown.shownFor(command, output);
    if (shown.length > 0) disturbed.push(`${command} (${shown.join(" | ")})`);
  }
  expect(disturbed.length / FAILURES.length, disturbed.join("\n")).toBeLessThanOrEqual(DISTURBED);
}, 60_000);
