// Takes out of installed packages what no start of the image reads: binaries of other platforms, C sources,
// type declarations and source maps. Licences stay.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const PLATFORM = `${process.platform}-${process.arch}`;

const NOT_NEEDED = [
  ["/better-sqlite3/prebuilds/", (name) => !name.startsWith(`${PLATFORM}.`)],
  ["/onnxruntime-node/bin/", (_, path) => !path.includes(`/${process.platform}/${process.arch}/`)],
  ["/@huggingface/transformers/src/", () => true],
  ["/@huggingface/transformers/dist/", (name) => name !== "transformers.node.mjs" && name !== "transformers.node.cjs"],
  ["/better-sqlite3/deps/", () => true],
  ["/better-sqlite3/src/", () => true],
  ["/", (name) => /\.(?:map|d\.[cm]?ts)$/.test(name)],
];

const [root = "node_modules/.pnpm"] = process.argv.slice(2);
prune(root);

// A walk of our own: the one of Node goes through links, and packages are linked to each other in circles.
function prune(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) prune(path);
    else if (entry.isFile() && isNotNeeded(path, entry.name)) rmSync(path);
  }
}

function isNotNeeded(path, name) {
  return NOT_NEEDED.some(([place, matches]) => path.includes(place) && matches(name, path));
}
