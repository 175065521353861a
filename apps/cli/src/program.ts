/** Program that `start.ts` starts, once V8's compiled code is kept. */
export { ownName } from "@chest/runtime/own-name";
export { run } from "./run.ts";
