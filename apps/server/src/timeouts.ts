import { TIME_LIMITS } from "@chest/contracts";

/** How long a connection may keep us waiting, and how long we may keep it waiting. */
export interface Timeouts {
  /** Without a byte in either direction, while no request that was read waits for its answer. */
  readonly connectionMs: number;
  readonly headersMs: number;
  readonly requestMs: number;
  /** From a request that was read to its answer; what is later is told so. */
  readonly answerMs: number;
  readonly longAnswerMs: number;
  /** Longer than the proxy's, which would else write into a closing connection. */
  readonly keepAliveMs: number;
  /** How often headers, requests and late answers are looked at. */
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
