import { type EmbeddingIdentity, type HostPorts, localExecutor, TOOLS } from "@chest/core";
import { testPorts } from "./fakes.ts";
import { memoryEngine } from "./memory-engine/memory-engine.ts";

/** All tools over an engine in memory, and the clock they tell the time by. */
export function testHouse({ active, ...over }: Partial<HostPorts> & { readonly active?: EmbeddingIdentity } = {}) {
  const ports = testPorts(over);
  const engine = memoryEngine({ clock: ports.clock, ...(active ? { active } : {}) });
  return { engine, clock: ports.clock, executor: localExecutor(TOOLS, engine, ports) };
}
