import { TIME_LIMITS } from "@chest/contracts";

/** Time limits for connections and requests. */
export interface Timeouts {
  /** Time without a byte in either direction, while no complete request waits for its answer. */
  readonly connectionMs: number;
  readonly headersMs: number;
  readonly requestMs: number;
  /** Time from a complete request to its answer; then the client is answered with a timeout. */
  readonly answerMs: number;
  readonly longAnswerMs: number;
  /** Longer than a proxy's idle time, since the proxy would otherwise write into a closing connection. */
  readonly keepAliveMs: number;
  /** Interval at which headers, requests and late answers are checked. */
  readonly checkMs: number;
}

export const TIMEOUTS: Timeouts = {
  connectionMs: 10_000,
  headersMs: 15_000,
  requestMs: 55_000,
  answerMs: TIME_LIMITS.answer,
  longAnswerMs: TIME_LIMITS.longAnswer,
  keepAliveMs: 75_000,
  checkMs: 2_000,
};
