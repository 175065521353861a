import { start } from "../start.ts";

await start(["install-hooks", ...process.argv.slice(2)], process.env);
