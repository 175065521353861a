import { type Call, NO_FILES } from "@chest/core/executor";
import { noEmbedder, type Store, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { type AnyTool, type Limits, readInput } from "@chest/core/tool";

class StoreReached extends Error {}

/** Store that fails on every access. */
const nowhere = new Proxy({} as Store, {
  get() {
    throw new StoreReached();
  },
});

/** Refuses calls that every store would refuse: by the tool's own check, or by running it until it uses the store. */
export async function judge(tool: AnyTool, input: unknown, limits: Limits, call: Call): Promise<void> {
  const ports = {
    ...NO_FILES,
    store: nowhere,
    clock: systemClock,
    embedders: () => noEmbedder,
    limits,
    ranking: DEFAULT_RANKING,
    signal: call.signal,
  };
  const parsed = readInput(tool, input);
  tool.judge(parsed, limits);
  try {
    await tool.run(parsed, ports, call.caller);
  } catch (error) {
    if (!(error instanceof StoreReached)) throw error;
  }
}
