import { setTimeout as sleep } from "node:timers/promises";
import { ChestError, ERRORS } from "@chest/contracts";
import { type Call, type Executor, NO_FILES } from "@chest/core/executor";
import { noEmbedder, type Store, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { cleanedIn, redact } from "@chest/core/redaction";
import { type AnyTool, type Limits, readInput } from "@chest/core/tool";
import { isWrite } from "@chest/core/wraps";
import { mayHaveArrived } from "../no-answer.ts";
import { type DrainOptions, drain, type Ended } from "./drain.ts";
import { troubleWith } from "./trouble.ts";

export interface OutboxOptions extends Omit<DrainOptions, "skipped"> {
  readonly tools: readonly AnyTool[];
  readonly limits: Limits;
}

const ROUND_MS = 60_000;
// Time that a call waits for earlier queued writes, so that it may find them.
const COURTESY_MS = 2_000;
// Arguments of tools are flat; deeper nesting is refused by their schemas.
const MAX_DEPTH = 8;

const NOTE =
  "the backend does not answer: this waits in the outbox and is stored when it does; until then no recall finds it";

const REFUSED_NOTE =
  "the backend refuses the token of this machine, which has ended or was revoked: this waits in the outbox until a token of the same member is here; `chest-index doctor client` tells more";

/** Keeps the writes that could not be delivered, and drains them later: at start, before the next call, every minute. */
export class Outbox implements Executor {
  readonly #options: OutboxOptions & DrainOptions;
  readonly #keeping: ReadonlyMap<string, AnyTool>;
  readonly #closing = new AbortController();
  #round: Promise<Ended> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutboxOptions) {
    this.#options = { ...options, skipped: new Set() };
    const keeping = options.tools.filter(({ effects }) => !effects.readOnly && !effects.destructive);
    this.#keeping = new Map(keeping.map((tool) => [tool.name, tool]));
  }

  /** Drains now and every minute, without holding the process open. */
  start(): void {
    this.#timer = setInterval(() => void this.drain(), ROUND_MS);
    this.#timer.unref();
    void this.drain();
  }

  async execute(name: string, input: unknown, call: Call): Promise<Record<string, unknown>> {
    const tool = this.#keeping.get(name);
    const drained = await Promise.race([this.drain(), sleep(COURTESY_MS, "slow" as const, { ref: false })]);
    if (!tool || !isWrite(tool, input)) return this.#options.backend.execute(name, input, call);
    // Redacted before the first attempt, because a key belongs to one input, and the queued input is redacted.
    const scrubbed = cleanedIn(input, redact, MAX_DEPTH);
    // Waiting writes go first, so that memories keep the order of the calls.
    if (drained === "unreachable") return this.#keep(tool, scrubbed, call);
    try {
      return await this.#options.backend.execute(name, scrubbed, call);
    } catch (error) {
      if (!(error instanceof ChestError) || !(await this.#isKept(error))) throw error;
      return this.#keep(tool, scrubbed, call, error);
    }
  }

  /** One delivery round; concurrent callers share it. Never throws. */
  drain(): Promise<Ended> {
    this.#round ??= this.#drainOnce().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  /** Stops delivery. An entry in transit stays in its file until it is known to be stored. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort(new Error("the outbox is closed"));
    await this.#round;
  }

  async #drainOnce(): Promise<Ended> {
    try {
      return await drain(this.#options, this.#closing.signal);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#options.log.warn({ err: error }, "outbox not drained");
      return "paused";
    }
  }

  async #isKept(error: ChestError): Promise<boolean> {
    // An expired token will be renewed and the member's writes sent then; a token that was never accepted is a mistake.
    if (error.code === "UNAUTHORIZED") return (await this.#options.sender()).member !== undefined;
    if (error.status < 500 || ERRORS[error.code].retry === "no") return false;
    // Without keys, sending it later could store it twice.
    return !mayHaveArrived(error) || (await this.#options.honoursKeys()) !== false;
  }

  /** @param failure of the attempt; undefined if the backend was known to be unreachable */
  async #keep(tool: AnyTool, input: unknown, call: Call, failure?: ChestError): Promise<Record<string, unknown>> {
    const { folder, url, limits, log } = this.#options;
    await judge(tool, input, limits, call);
    const { member, token } = await this.#options.sender();
    const draft = {
      url,
      ...(member === undefined ? {} : { member }),
      token,
      tool: tool.name,
      input: input as Record<string, unknown>,
      key: call.idempotencyKey ?? call.requestId,
      request_id: call.requestId,
      project: call.caller.project,
      session: call.caller.client.session,
      may_have_arrived: failure !== undefined && mayHaveArrived(failure),
    };
    const { id } = await folder.add(draft).catch((error: unknown) => {
      throw notKept(folder.path, error, failure);
    });
    log.info({ queueId: id, tool: tool.name, requestId: call.requestId }, "call queued");
    return { ok: true, queued: true, queue_id: id, note: failure?.code === "UNAUTHORIZED" ? REFUSED_NOTE : NOTE };
  }
}

/** Error for a call that could be neither stored nor queued, with both reasons. */
function notKept(folder: string, error: unknown, failure: ChestError | undefined): unknown {
  const trouble = troubleWith(folder, error);
  if (!trouble) return error;
  const { reason, says, hint } = trouble;
  const why = failure?.message ?? "the backend does not answer";
  return new ChestError("UNAVAILABLE", `${why}; and this cannot wait in the outbox, \`${folder}\`: ${says}`, {
    hint: `nothing was stored: ${hint}, or fix the backend (\`chest-index doctor client\`), then repeat the call`,
    details: { folder, reason },
    cause: error,
  });
}

class StoreReached extends Error {}

/** Store that fails on every access. */
const nowhere = new Proxy({} as Store, {
  get() {
    throw new StoreReached();
  },
});

/** Refuses calls that every store would refuse: by the tool's own check, or by running it until it uses the store. */
async function judge(tool: AnyTool, input: unknown, limits: Limits, call: Call): Promise<void> {
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
