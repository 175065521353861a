import { keepCompiled } from "@chest/runtime/compiled";

/** Runs the command line of this process, with its streams, signals and exit code. */
export async function start(words: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe, like `head`, has read enough; that is no failure.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`chest-index: the output cannot be written: ${error.message}\n`);
    process.stderr.write("hint: make room there, and check whether what you asked for was done\n");
    process.exit(2);
  });
  process.stderr.on("error", () => {}); // The exit code reports the failure.
  // Failures outside the command are printed as plainly as those in it.
  process.on("uncaughtException", ({ message }) => {
    process.stderr.write(`chest-index: unexpected failure: ${message.split("\n")[0]}\n`);
    process.exit(2);
  });
  process.once("SIGINT", () => process.exit(130));
  // The compile cache goes into an existing data folder only; none is created for it.
  keepCompiled(env.CHEST_DATA_DIR, { onlyIfThere: true });
  const { run, ownName } = await import("./program.ts");
  process.exitCode = await run(words, env, ownName(env, process.argv[1] ?? ""));
}
