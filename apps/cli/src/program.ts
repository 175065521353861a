/** What `start.ts` starts, once what V8 compiled is kept. */

export { run } from "./run.ts";
export { ownName } from "./terminal/invocation-name.ts";
