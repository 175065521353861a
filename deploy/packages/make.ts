import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { desktopExtension } from "./desktop-extension.ts";
import { claudeCodePlugin, codexPlugin, cursorPlugin } from "./plugins.ts";
import { registryEntry } from "./registry-entry.ts";
import { sdkManifest } from "./sdk-package.ts";
import { serverManifest } from "./server-package.ts";

/** Everything that is installed without a clone, from the bundles and one description: `npm run packages`. */

const ROOT = resolve(import.meta.dirname, "../..");
const CLIENT = join(ROOT, "apps/mcp/dist");
const OUT = resolve(process.argv[2] ?? join(ROOT, "dist/packages"));

const { version, description, license, keywords } = readJson("apps/mcp/package.json");
const [owner = "your-organisation"] = (process.env.GITHUB_REPOSITORY ?? "").split("/").filter(Boolean);
const about = { name: "chest-memory", version, description, license, keywords, owner };

rmSync(OUT, { recursive: true, force: true });

writeFiles("claude-code", claudeCodePlugin(about));
copyClient("claude-code/chest-memory/server");
copy(join(CLIENT, "chest-hook.mjs"), "claude-code/chest-memory/hooks/chest-hook.mjs");
copy(join(CLIENT, "terms.table"), "claude-code/chest-memory/hooks/terms.table");
copy(join(ROOT, "deploy/packages/plugin/hook.mjs"), "claude-code/chest-memory/hooks/hook.mjs");
copy(join(ROOT, "deploy/packages/plugin/icon.png"), "claude-code/chest-memory/.claude-plugin/icon.png");
writeFiles("codex", codexPlugin(about));
writeFiles("cursor", cursorPlugin(about, readText("deploy/claude/rules/chest-memory.md")));
for (const plugin of ["claude-code/chest-memory", "codex/chest-memory", "cursor/chest-memory"]) {
  copy(join(ROOT, "deploy/claude/skills"), `${plugin}/skills`);
  copy(join(ROOT, "LICENSE"), `${plugin}/LICENSE`);
  copy(join(ROOT, "deploy/packages/plugin/README.md"), `${plugin}/README.md`);
}

writeFiles("desktop-extension", desktopExtension(about));
copyClient("desktop-extension/server");
copy(join(ROOT, "LICENSE"), "desktop-extension/LICENSE");
pack("desktop-extension", `chest-memory-${version}.mcpb`);

writeFiles("registry", { "server.json": registryEntry(about) });

writeFiles("chest-memory-server", { "package.json": serverManifest(about, readJson("package.json"), catalogued) });
copy(join(ROOT, "deploy/packages/server/README.md"), "chest-memory-server/README.md");
copy(join(ROOT, "deploy/packages/server/chest-memory-server.js"), "chest-memory-server/chest-memory-server.js");
copy(join(ROOT, "apps/server/dist"), "chest-memory-server/server/dist");
copy(join(ROOT, "apps/web/dist"), "chest-memory-server/web/dist");
run(join(ROOT, "deploy/help/build.ts"), []);
copy(join(ROOT, "apps/server/help/dist"), "chest-memory-server/server/help/dist");
copy(join(ROOT, "LICENSE"), "chest-memory-server/LICENSE");

writeFiles("chest-memory-sdk", {
  "package.json": sdkManifest(about, readJson("packages/sdk/package.json"), catalogued),
});
compile("packages/sdk/src/index.ts", "chest-memory-sdk/dist");
copy(join(ROOT, "deploy/packages/sdk/README.md"), "chest-memory-sdk/README.md");
copy(join(ROOT, "LICENSE"), "chest-memory-sdk/LICENSE");

process.stdout.write(`packages of ${version} lie in ${OUT}\n`);

/** The stdio client for a backend elsewhere: without the threads and the table of a store on this machine. */
function copyClient(to: string): void {
  const files = readdirSync(CLIENT).filter((file) => /^chest-memory(?:\.[\w-]+)?\.js$/.test(file));
  for (const file of [...files, "grammars"]) copy(join(CLIENT, file), join(to, file));
  copy(join(ROOT, "apps/web/dist/chat-view.html"), join(to, "chat-view.html"));
  writeFiles(to, { "package.json": { type: "module" } });
}

/** JavaScript and declarations of a source and of what it imports from beside it. */
function compile(source: string, to: string): void {
  const tool = join(ROOT, "node_modules/typescript/bin/tsc");
  const as = ["--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom", "--skipLibCheck"];
  const out = ["--declaration", "--rewriteRelativeImportExtensions", "--outDir", join(OUT, to)];
  run(tool, ["--ignoreConfig", join(ROOT, source), ...as, ...out]);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(join(OUT, to)), { recursive: true });
  cpSync(from, join(OUT, to), { recursive: true });
}

function writeFiles(folder: string, files: Readonly<Record<string, object | string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(OUT, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
}

/** Validates the manifest and packs the folder, by the tool of those who defined the format. */
function pack(folder: string, file: string): void {
  const tool = join(ROOT, "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js");
  for (const args of [
    ["validate", join(OUT, folder)],
    ["pack", join(OUT, folder), join(OUT, file)],
  ])
    run(tool, args);
}

function run(tool: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${tool} ${args[0]}: ${stdout}${stderr}`);
}

/** Version that the catalogue of the workspace names for a package. */
function catalogued(name: string): string {
  const line = new RegExp(`^ {2}"?${name}"?: (\\S+)$`, "m").exec(readText("pnpm-workspace.yaml"));
  if (!line?.[1]) throw new Error(`pnpm-workspace.yaml names no version of ${name}`);
  return line[1];
}

function readText(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function readJson(file: string) {
  return JSON.parse(readText(file));
}
