import { start } from "../start.ts";

await start(["stats", ...process.argv.slice(2)], process.env);
