import { start } from "../start.ts";

await start(["sync", ...process.argv.slice(2)], process.env);
