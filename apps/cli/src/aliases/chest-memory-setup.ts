import { start } from "../start.ts";

await start(["setup", ...process.argv.slice(2)], process.env);
