import { run } from "./run.ts";

// A reader that went away, like `head`, wants no more; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 2));
process.once("SIGINT", () => process.exit(130));

process.exitCode = await run(process.argv.slice(2), process.env);
