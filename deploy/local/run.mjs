// The two commands of a fresh machine. Plain JavaScript, nothing installed: whatever Node started this must be able to read it.
if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`chest needs Node 20 or newer to start, and this is ${process.version}`);
  console.error("hint: install the current Node from https://nodejs.org, then run the command again");
  process.exit(1);
}

// What it says on the way is no reason to end where nobody reads it, or there is no room for it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const { launch } = await import("./launch.mjs");
process.exitCode = await launch(process.argv.slice(2));
