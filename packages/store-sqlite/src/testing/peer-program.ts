import { servePeer, TINY_IDENTITY } from "@chest/testing/peer";
import { openSqliteEngine } from "../index.ts";

const [path = ""] = process.argv.slice(2);
servePeer(await openSqliteEngine({ path, active: TINY_IDENTITY, accessFlushMs: 20, searchTimeoutMs: 30_000 }));
