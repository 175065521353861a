export { backupFacts, listedRow, madeRow, placeFacts, rowFacts } from "./host-facts.ts";
export { findingsOfDb, judgeDb } from "./judge-db.ts";
export { findingsOf, type HostCheck, judgeHost } from "./judge-host.ts";
