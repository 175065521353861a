/** How long a connection may keep us waiting. */
export interface Timeouts {
  /** Without a byte in either direction. */
  readonly connectionMs: number;
  readonly headersMs: number;
  readonly requestMs: number;
  /** Longer than the proxy's, which would else write into a closing connection. */
  readonly keepAliveMs: number;
  /** How often headers and requests are looked at. */
  readonly checkMs: number;
}

export const TIMEOUTS: Timeouts = {
  connectionMs: 10_000,
  headersMs: 15_000,
  requestMs: 55_000,
  keepAliveMs: 75_000,
  checkMs: 5_000,
};
