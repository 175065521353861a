import { openSqliteEngine } from "@chest/store-sqlite";

// Takes the lease of a store and begins a run, says so, and stays until it is killed.
const engine = await openSqliteEngine({ path: process.argv[2] ?? "" });
engine.lifecycle.lease();
await engine.lifecycle.journal.begin("timer");
process.stdout.write("held\n");
setInterval(() => undefined, 1000);
