/** What `start.ts` starts, once what V8 compiled is kept. */
export { ownName } from "@chest/runtime/own-name";
export { run } from "./run.ts";
