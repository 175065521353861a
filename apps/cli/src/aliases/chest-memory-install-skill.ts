import { start } from "../start.ts";

await start(["install-skill", ...process.argv.slice(2)], process.env);
