import { openSqliteEngine } from "@chest/store-sqlite";

// Takes the lease of a store and begins a run, says so, and stays until it is killed.
const engine = await openSqliteEngine({ path: process.argv[2] ?? "" });
const lease = await engine.lifecycle.lease();
await engine.lifecycle.journal.begin("timer");
process.stdout.write("held\n");
// An unreferenced lease would be collected, and its lock with it.
setInterval(() => lease, 1000);
