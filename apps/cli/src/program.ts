/** Program that `start.ts` starts, once V8's compiled code is kept. */

export { run } from "./run.ts";
export { ownName } from "./terminal/invocation-name.ts";
