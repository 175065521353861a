import { keepCompiled } from "@chest/runtime/compiled";

/** Runs what was typed as the process that it is: its streams, its signals, its exit code. */
export async function start(words: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that went away, like `head`, wants no more; that is no failure.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`chest-index: the output cannot be written: ${error.message}\n`);
    process.stderr.write("hint: make room there, and check whether what you asked for was done\n");
    process.exit(2);
  });
  process.stderr.on("error", () => {}); // Its exit code says enough.
  // Failures beside the command are told as plainly as those in it.
  process.on("uncaughtException", ({ message }) => {
    process.stderr.write(`chest-index: unexpected failure: ${message.split("\n")[0]}\n`);
    process.exit(2);
  });
  process.once("SIGINT", () => process.exit(130));
  // A look at what is not there yet makes nothing.
  keepCompiled(env.CHEST_DATA_DIR, { onlyIfThere: true });
  const { run, ownName } = await import("./program.ts");
  process.exitCode = await run(words, env, ownName(env, process.argv[1] ?? ""));
}
