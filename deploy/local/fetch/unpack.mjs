import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const unzip = promisify(gunzip);

const BLOCK = 512;
// Types of entries: a file, and texts that say the path of the entry after them (of POSIX, of GNU).
const [FILE, OLD_FILE, POSIX_PATH, GNU_PATH] = ["0", "\0", "x", "L"];

/** Writes the files of a package's archive that `wants` names into a folder. Packages contain no links. */
export async function unpack(bytes, folder, wants) {
  const archive = await unzip(bytes);
  const made = new Set();
  let longPath;
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const { path, size, type, mode } = headerAt(archive, at);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (type === POSIX_PATH) longPath = /\d+ path=([^\n]+)\n/.exec(content.toString())?.[1];
    else if (type === GNU_PATH) longPath = content.toString().replace(/\0.*$/s, "");
    else {
      // Everything is in one folder, whose name does not matter.
      const file = (longPath ?? path).replace(/^[^/]*\//, "");
      longPath = undefined;
      if ((type === FILE || type === OLD_FILE) && wants(file)) write(folder, file, { content, mode }, made);
    }
  }
}

function headerAt(archive, at) {
  const text = (from, length) => archive.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
  const prefix = text(257, 5) === "ustar" ? text(345, 155) : "";
  return {
    path: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100),
    size: Number.parseInt(text(124, 12), 8),
    mode: Number.parseInt(text(100, 8), 8) & 0o111 ? 0o755 : 0o644,
    type: String.fromCharCode(archive[at + 156]),
  };
}

function write(folder, file, { content, mode }, made) {
  if (file.split(/[/\\]/).includes("..")) throw new Error(`a package has a file outside of itself: ${file}`);
  const path = join(folder, file);
  const parent = dirname(path);
  if (!made.has(parent)) mkdirSync(parent, { recursive: true });
  made.add(parent);
  writeFileSync(path, content, { mode });
}
