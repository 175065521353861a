import { TIME_LIMITS } from "@chest/contracts";
import type { Clock, Llm, LlmAnswer, LlmFailure, LlmRequest } from "@chest/core/ports";
import { estimateTokens } from "@chest/core/text";
import { type Ask, loadProvider, type ProviderSpec } from "./provider.ts";

export { PROVIDERS, type Provider, type ProviderSpec } from "./provider.ts";

export interface LlmLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Called with every request: its outcome, its time and its cost. */
export type LlmListener = (outcome: "ok" | LlmFailure, seconds: number, tokens: number) => void;

export interface LlmOptions {
  /** Tokens a day, those of questions and answers together. */
  readonly dailyTokens: number;
  readonly clock: Clock;
  readonly log: LlmLog;
  readonly onRequest?: LlmListener | undefined;
  readonly deadlineMs?: number;
  /** Number of failures in a row after which the model is not asked for a while. */
  readonly restAfter?: number;
  readonly restMs?: number;
}

const AT_ONCE = 2;
const REST_AFTER = 3;
const REST_MS = 60_000;
const DAY_MS = 86_400_000;

/** Failures that say nothing of the model itself. */
const NOT_ITS_FAULT: ReadonlySet<LlmFailure> = new Set(["busy", "budget", "not_installed", "unavailable"]);

/**
 * Opens a language model: two requests at once, each with a deadline that counts from when it was asked, and a budget for
 * the day. The library is loaded by the first request. What was asked and written is in no log.
 */
export function openLlm(spec: ProviderSpec, options: LlmOptions): Llm {
  const { clock, log, dailyTokens, onRequest = () => undefined, deadlineMs = TIME_LIMITS.model } = options;
  const { restAfter = REST_AFTER, restMs = REST_MS } = options;
  const places = openPlaces(AT_ONCE);
  let loading: Promise<Ask> | undefined;
  let failures = 0;
  let restsUntil = 0;
  let [day, used] = [0, 0];

  const usedToday = (): number => {
    const today = Math.floor(clock.now().getTime() / DAY_MS);
    if (today !== day) [day, used] = [today, 0];
    return used;
  };
  const isResting = () => clock.now().getTime() < restsUntil;

  /** @returns the text, what it cost, or why there is none */
  async function attempt(request: LlmRequest, signal: AbortSignal): Promise<LlmAnswer & { tokens: number }> {
    const most = estimateTokens(request.system) + estimateTokens(request.prompt) + request.maxTokens;
    if (isResting()) return { failure: "unavailable", tokens: 0 };
    if (usedToday() + most > dailyTokens) return { failure: "budget", tokens: 0 };
    const leave = await places.enter(signal);
    if (!leave) return { failure: "busy", tokens: 0 };
    if (signal.aborted) {
      leave();
      return { failure: "busy", tokens: 0 };
    }
    // Counted at the most it can cost until it is known: two at once cannot spend the budget twice.
    used += most;
    let cost = most;
    try {
      loading ??= loadProvider(spec);
      const ask = await loading;
      const { text, tokens = most } = await raced(ask(request, signal), signal);
      cost = tokens;
      return text.trim() === "" ? { failure: "unusable", tokens } : { text: text.trim(), tokens };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") {
        cost = 0;
        loading = undefined; // It may be installed meanwhile.
        return { failure: "not_installed", tokens: 0 };
      }
      if (signal.aborted) return { failure: "timeout", tokens: cost };
      const cause = causeOf(error);
      return { failure: "failed", ...(cause === undefined ? {} : { cause }), tokens: cost };
    } finally {
      leave();
      used += cost - most;
    }
  }

  return {
    async write(request, input) {
      const startedAt = performance.now();
      const signal = AbortSignal.any([input, AbortSignal.timeout(request.deadlineMs ?? deadlineMs)]);
      const { tokens, ...answer } = await attempt(request, signal);
      const outcome = "failure" in answer ? answer.failure : "ok";
      const seconds = (performance.now() - startedAt) / 1000;
      onRequest(outcome, seconds, tokens);
      if (outcome === "ok") failures = 0;
      else if (!NOT_ITS_FAULT.has(outcome) && !input.aborted) {
        failures += 1;
        if (failures >= restAfter) {
          failures = 0;
          restsUntil = clock.now().getTime() + restMs;
        }
      }
      if (outcome !== "ok")
        log.warn(
          {
            outcome,
            ...("cause" in answer ? { cause: answer.cause } : {}),
            model: spec.model,
            ms: Math.round(seconds * 1000),
          },
          "no text was written",
        );
      return answer;
    },
    state: () => ({
      provider: spec.provider,
      model: spec.model,
      isResting: isResting(),
      used: usedToday(),
      budget: dailyTokens,
    }),
  };
}

const CODE = /^[A-Z][A-Z0-9_]{2,40}$/;
const MOST_CAUSES = 5;

/** A status or a code found in an error or what caused it. Its message may hold what was sent, and is not read. */
function causeOf(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES && at !== null && typeof at === "object"; depth++) {
    const { statusCode, code, cause } = at as { statusCode?: unknown; code?: unknown; cause?: unknown };
    if (typeof statusCode === "number") return statusCode < 300 ? NO_ANSWER : `HTTP ${statusCode}`;
    if (typeof code === "string" && CODE.test(code)) return code;
    at = cause;
  }
  return undefined;
}

const NO_ANSWER = "its answer is not of this API";

/** The work, or the abort of its signal: a library that ignores the signal holds up no caller. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error("the deadline is over"));
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

/** A number of places; a caller that finds none waits for one until its signal aborts, first come, first served. */
function openPlaces(count: number): { enter(signal: AbortSignal): Promise<(() => void) | undefined> } {
  let free = count;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    enter(signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) {
        free -= 1;
        return Promise.resolve(leave);
      }
      return new Promise((resolve) => {
        const take = () => {
          signal.removeEventListener("abort", giveUp);
          resolve(leave);
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(take), 1);
          resolve(undefined);
        };
        waiting.push(take);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
