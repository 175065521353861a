#!/usr/bin/env node
// The head of the one file that hooks run; its text below is the program, put there by the build. As a text it costs
// nothing to read past, and what V8 made of it before is read in place of compiling it: half of an event's time.
const PROGRAM = "";
const ID = "";

// Before Node 20.16 there is no asking for a part of it: then nothing is done, and a session's start says why. Claude Code
// shows that to its user; it runs a hook without an agent's name.
if (!process.getBuiltinModule) {
  const systemMessage = `chest-memory: its hooks need Node 20.19 or newer, and this is ${process.versions.node}`;
  if (process.argv[2] === "session-start" && !process.argv[3]) process.stdout.write(JSON.stringify({ systemMessage }));
  process.exit(0);
}

const { readFileSync, readdirSync, renameSync, unlinkSync, writeFileSync } = process.getBuiltinModule("node:fs");
const { basename, dirname, join } = process.getBuiltinModule("node:path");
const { Script } = process.getBuiltinModule("node:vm");

const file = process.getBuiltinModule("node:url").fileURLToPath(import.meta.url);
// Through a link or another name: the program goes by where it lies.
process.argv[1] = file;
// Each event runs other parts of the program; V8 itself refuses what another of its versions made.
const event = /^[a-z-]{1,20}$/.test(process.argv[2] ?? "") ? process.argv[2] : "none";
const cache = `${file}.${ID}.${event}.cache`;

function kept() {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

function keep(script) {
  try {
    const folder = dirname(file);
    for (const name of readdirSync(folder)) {
      if (name.startsWith(`${basename(file)}.`) && !name.includes(ID)) unlinkSync(join(folder, name));
    }
    writeFileSync(`${cache}.${process.pid}`, script.createCachedData(), { mode: 0o600 });
    renameSync(`${cache}.${process.pid}`, cache);
  } catch {
    // A folder that is not ours to write in: compiled anew each time.
  }
}

try {
  const cachedData = kept();
  const script = new Script(PROGRAM, { filename: file, cachedData });
  if (!cachedData || script.cachedDataRejected) process.on("exit", () => keep(script));
  script.runInThisContext();
} catch {
  // The prompt goes on after any failure.
  process.exit(0);
}
