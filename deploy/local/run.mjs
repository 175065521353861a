// The two commands of a fresh machine. Plain JavaScript without packages, since any Node from 20 on may read it.
if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`chest needs Node 20 or newer to start, and this is ${process.version}`);
  console.error("hint: install the current Node from https://nodejs.org, then run the command again");
  process.exit(1);
}

// A closed or full output is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const { launch } = await import("./launch.mjs");
process.exitCode = await launch(process.argv.slice(2));
