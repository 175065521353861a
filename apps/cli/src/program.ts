/** Program that `start.ts` loads after it has enabled V8's compile cache. */
export { ownName } from "@chest/runtime/own-name";
export { run } from "./run.ts";
