#!/usr/bin/env node
if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error(`chest-memory-server needs Node 24 or newer, and this is ${process.version}`);
  process.exit(1);
}
await import("./server/dist/quickstart.js");
