import { openSqliteEngine } from "@chest/store-sqlite";

// Takes the lease of a store, begins a run, prints a line, and stays until it is killed.
const engine = await openSqliteEngine({ path: process.argv[2] ?? "" });
const lease = await engine.lifecycle.lease();
await engine.lifecycle.journal.begin("timer");
process.stdout.write("held\n");
// An unreferenced lease would be garbage-collected, and its lock released.
setInterval(() => lease, 1000);
