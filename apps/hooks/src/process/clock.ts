/** Milliseconds since the process started. `process.uptime` avoids loading `performance`. */
export const sinceStartMs = (): number => process.uptime() * 1000;
