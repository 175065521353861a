export { beginIdsAt, openFresh } from "./fresh-engine.ts";
export { hasPostgres, onceOn, startPostgres, type TestServer } from "./server.ts";
