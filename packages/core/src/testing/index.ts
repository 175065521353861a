import { localCaller } from "../access/caller.ts";
import type { Caller } from "../access/caller.ts";
import { SHARED, type Member } from "../access/member.ts";
import { type Call, type HostPorts, localExecutor } from "../executor.ts";
import type { Clock } from "../ports/clock.ts";
import { noEmbedder } from "../ports/embedder.ts";
import { DEFAULT_RANKING } from "../recall/ranking.ts";
import { DEFAULT_LIMITS } from "../tool.ts";
import { TOOLS } from "../tools/index.ts";
import { memoryEngine } from "./memory-engine.ts";

export { engineContract, type OpenEngine } from "./engine-contract.ts";
export { memoryEngine };

/** A clock that stands still until it is moved. */
export function fixedClock(start = new Date("2026-11-21T12:00:00Z")): Clock & { advance(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now = new Date(now.getTime() + ms);
    },
  };
}

export function aCaller(over: Partial<Caller> & { readonly member?: Member } = {}): Caller {
  return { ...localCaller(undefined), member: SHARED, scopes: new Set(["read", "write", "operate"]), ...over };
}

export function aCall(over: Partial<Call> = {}): Call {
  return { caller: aCaller(), requestId: "test", signal: new AbortController().signal, ...over };
}

export function testPorts(over: Partial<HostPorts> = {}): HostPorts & { readonly clock: ReturnType<typeof fixedClock> } {
  return { embedder: noEmbedder, limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING, ...over, clock: fixedClock() };
}

/** All tools over an engine in memory, and the clock they tell the time by. */
export function testHouse(over: Partial<HostPorts> = {}) {
  const ports = testPorts(over);
  const engine = memoryEngine({ clock: ports.clock });
  return { engine, clock: ports.clock, executor: localExecutor(TOOLS, engine, ports) };
}
