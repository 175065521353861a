export { beginIdsAt, openFresh } from "./fresh-engine.ts";
export { hasPostgres, startPostgres, type TestServer } from "./server.ts";
