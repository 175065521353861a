/** What `start.ts` starts, once what V8 compiled is kept. */
export { ownName } from "./own-name.ts";
export { run } from "./run.ts";
