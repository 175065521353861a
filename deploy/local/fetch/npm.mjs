import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "../paths.mjs";
import { INSTALLING, INSTALLING_CONNECTIONS } from "../registry.mjs";

/**
 * The part of npm that asks a registry, with all that npm was told: registries, proxies, certificates, tokens. npm itself
 * would take more processor time and disk for the same packages, because it keeps each twice and links it into a tree.
 * @returns `undefined` where npm's own modules are not as they are known here
 */
export function openNpm() {
  opened ??= findNpm();
  return opened;
}

let opened;

async function findNpm() {
  for (const folder of npmFolders()) {
    try {
      return await npmIn(folder);
    } catch (error) {
      if (!isOfAnotherNpm(error)) throw error;
    }
  }
  return undefined;
}

/** Folders in which npm may lie: that of the running one, and those beside the machine's Node. */
function npmFolders() {
  const { npm_execpath: program } = process.env;
  const beside = dirname(process.execPath);
  return [
    ...(program?.endsWith("npm-cli.js") ? [join(dirname(program), "..")] : []),
    join(beside, "../lib/node_modules/npm"),
    join(beside, "node_modules/npm"),
  ].filter((folder) => existsSync(join(folder, "package.json")));
}

const isOfAnotherNpm = (error) =>
  ["MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"].includes(error.code) || error instanceof TypeError;

async function npmIn(folder) {
  const load = createRequire(join(folder, "package.json"));
  const Config = load("@npmcli/config");
  const parts = load("@npmcli/config/lib/definitions");
  const request = load("npm-registry-fetch");
  const env = { ...process.env, ...INSTALLING };
  const argv = [process.execPath, join(folder, "bin/npm-cli.js")];
  const config = new Config({ ...parts, npmPath: folder, argv, env, cwd: ROOT, warn: false });
  await config.load();
  const { cache, ...told } = config.flat;
  const settings = { ...told, maxSockets: INSTALLING_CONNECTIONS };
  if (typeof request.pickRegistry !== "function") throw new TypeError("no registry is picked");

  return {
    /** The bytes of a package: from npm's cache if they are there, else from its registry. */
    async download({ name, version, integrity }) {
      const kept = await readKept(cache, integrity);
      if (kept) return kept;
      const registry = request.pickRegistry(`${name}@${version}`, settings).replace(/\/$/, "");
      const file = `${name.replace(/^.*\//, "")}-${version}.tgz`;
      const answer = await request(`${registry}/${name}/-/${file}`, settings);
      const bytes = await answer.buffer();
      if (!isWhole(bytes, integrity))
        throw new Error(`the registry gave another ${name}@${version} than the lockfile names: its checksum differs`);
      return bytes;
    },
  };
}

async function readKept(cache, integrity) {
  const hex = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  const file = join(cache, "content-v2/sha512", hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
  try {
    const bytes = await readFile(file);
    return isWhole(bytes, integrity) ? bytes : undefined;
  } catch {
    return undefined; // It is asked for.
  }
}

const isWhole = (bytes, integrity) => `sha512-${createHash("sha512").update(bytes).digest("base64")}` === integrity;
