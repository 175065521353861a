import type { HostPorts } from "@chest/core/executor";
import { localExecutor } from "@chest/core/pipeline";
import type { EmbeddingIdentity } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { testPorts } from "./fakes.ts";
import { testEngine } from "./test-engine.ts";

/** All tools over an empty store, and the clock they tell the time by. */
export async function testExecutor({
  active,
  ...over
}: Partial<HostPorts> & { readonly active?: EmbeddingIdentity } = {}) {
  const ports = testPorts(over);
  const engine = await testEngine({ clock: ports.clock, active });
  return { engine, clock: ports.clock, executor: localExecutor(TOOLS, engine, ports) };
}
