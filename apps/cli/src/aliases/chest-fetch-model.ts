import { start } from "../start.ts";

await start(["fetch-model", ...process.argv.slice(2)], process.env);
