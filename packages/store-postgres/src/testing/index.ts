export { beginIdsAt, openFresh } from "./fresh-engine.ts";
export { startRelay } from "./relay.ts";
export { begunOn, hasPostgres, onceOn, startPostgres, type TestServer } from "./server.ts";
export { type CountedWay, countTrips, type Trips } from "./trips.ts";
