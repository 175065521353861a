import { start } from "../start.ts";

await start(["import", ...process.argv.slice(2)], process.env);
