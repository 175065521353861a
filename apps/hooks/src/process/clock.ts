/** Milliseconds since this process began. Of `performance` much is behind it, and nothing of that is needed here. */
export const sinceStartMs = (): number => process.uptime() * 1000;
