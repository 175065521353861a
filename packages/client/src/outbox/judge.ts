import { type Call, NO_FILES } from "@chest/core/executor";
import { noEmbedder, type Store, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { type AnyTool, type Limits, readInput } from "@chest/core/tool";

class StoreReached extends Error {}

const reached = (): never => {
  throw new StoreReached();
};

/** Store that fails on every access. */
const nowhere: Store = {
  get memories() {
    return reached();
  },
  get entities() {
    return reached();
  },
  get snapshots() {
    return reached();
  },
  get sessions() {
    return reached();
  },
  get files() {
    return reached();
  },
  get promotions() {
    return reached();
  },
  get inbox() {
    return reached();
  },
  get conversations() {
    return reached();
  },
  get triggers() {
    return reached();
  },
  get work() {
    return reached();
  },
  get gaps() {
    return reached();
  },
  get home() {
    return reached();
  },
  get listings() {
    return reached();
  },
  get sources() {
    return reached();
  },
  get conflicts() {
    return reached();
  },
  get search() {
    return reached();
  },
  get sweeps() {
    return reached();
  },
  once: async () => reached(),
  write: async () => reached(),
  noteAccess: reached,
  noteTurns: reached,
  noteShown: reached,
  identities: reached,
};

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
