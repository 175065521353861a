import { servePeer, TINY_IDENTITY } from "@chest/testing/peer";
import { openPostgresEngine } from "../index.ts";

const [url = ""] = process.argv.slice(2);
servePeer(
  await openPostgresEngine({ url, active: TINY_IDENTITY, accessFlushMs: 20, searchTimeoutMs: 30_000, pool: 8 }),
);
