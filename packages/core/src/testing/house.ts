import { type HostPorts, localExecutor } from "../executor.ts";
import type { EmbeddingIdentity } from "../ports/embedder.ts";
import { TOOLS } from "../tools/index.ts";
import { testPorts } from "./fakes.ts";
import { memoryEngine } from "./memory-engine.ts";

/** All tools over an engine in memory, and the clock they tell the time by. */
export function testHouse({ active, ...over }: Partial<HostPorts> & { readonly active?: EmbeddingIdentity } = {}) {
  const ports = testPorts(over);
  const engine = memoryEngine({ clock: ports.clock, ...(active ? { active } : {}) });
  return { engine, clock: ports.clock, executor: localExecutor(TOOLS, engine, ports) };
}
