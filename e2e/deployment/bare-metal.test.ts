import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, restDoor } from "../support/clients/doors.ts";
import { commandsOf } from "../support/deployment/guide.ts";
import { freePort } from "../support/free-port.ts";
import { cleanEnv, ROOT, type RunningProgram, startProgram, waitUntilReady } from "../support/process.ts";
import { hasProgram } from "../support/requirements.ts";

const run = promisify(execFile);
const hasSystemd = hasProgram("systemd-analyze");

let root: string;
let port: number;
let service: RunningProgram | undefined;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "chest-bare-metal-"));
  port = await freePort();
  await mkdir(join(root, "bin"));
  await mkdir(join(root, "opt"));
  await symlink(ROOT, join(root, "opt/chest"));
});
afterEach(async () => {
  await service?.end("SIGKILL");
  service = undefined;
  await rm(root, { recursive: true, force: true });
});

/** Replaces the folders and port of this machine by those of another server. */
const elsewhere = (text: string) =>
  text
    .replaceAll(/(?<![\w/])\/(?=(?:opt|etc|var)\/)/g, `${root}/`)
    .replaceAll("http://127.0.0.1:8765", `http://127.0.0.1:${port}`);

const unit = async () => elsewhere(await readFile(join(ROOT, "deploy/systemd/chest.service"), "utf8"));

/** Runs a script of the guide, and records the commands that only root may run. */
async function shell(script: string): Promise<string> {
  for (const name of ["systemctl", "useradd", "nginx"])
    await writeFile(join(root, "bin", name), `#!/bin/sh\necho "${name} $*" >>'${root}/asked'\n`, { mode: 0o755 });
  // `sudo -u chest COMMAND…`
  await writeFile(join(root, "bin/sudo"), '#!/bin/sh\nshift 2\nexec "$@"\n', { mode: 0o755 });
  const env = cleanEnv({ HOME: root, PATH: `${join(root, "bin")}:${process.env.PATH}` });
  return (await run("sh", ["-euc", elsewhere(script)], { cwd: join(root, "opt/chest"), env })).stdout;
}

/**
 * Runs the unit's command as systemd would: in its folder, with its environment, and with the token as a credential.
 */
async function startUnit(): Promise<void> {
  const lines = (await unit()).split("\n").filter((line) => !line.startsWith("#"));
  const valuesOf = (key: string) =>
    lines.flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
  const [, credential = ""] = valuesOf("LoadCredential")[0]?.split(":") ?? [];
  await mkdir(join(root, "credentials"));
  await writeFile(join(root, "credentials/token"), await readFile(credential), { mode: 0o400 });
  const given = valuesOf("Environment").map((pair) => pair.replaceAll("%d", join(root, "credentials")).split("="));
  const [file = "", ...words] = valuesOf("ExecStart")[0]?.split(" ") ?? [];
  expect(valuesOf("WorkingDirectory")).toEqual([join(root, "opt/chest")]);
  const env = { PATH: "/usr/bin:/bin", ...Object.fromEntries(given), CHEST_PORT: String(port) };
  service = startProgram(file, words, cleanEnv(env));
  await waitUntilReady(service, async () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

describe("the guide for a server without Docker", () => {
  it("makes a token that only root can read, with which the unit's backend answers and stores memories", async () => {
    const [makeToken = ""] = commandsOf("bare-metal.md", "Make a token");
    const [begin = "", look = ""] = commandsOf("bare-metal.md", "Start");
    await mkdir(join(root, "etc/systemd/system"), { recursive: true });
    await mkdir(join(root, "var/lib"), { recursive: true });
    await shell(makeToken);
    expect((await stat(join(root, "etc/chest"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, "etc/chest/token"))).mode & 0o777).toBe(0o600);
    await startUnit();

    expect(await shell(begin)).toContain('"ok":true');
    expect(await readFile(join(root, "asked"), "utf8")).toBe("systemctl daemon-reload\nsystemctl enable --now chest\n");
    expect(await readFile(join(root, "etc/systemd/system/chest.service"), "utf8")).toContain("[Install]");
    const token = (await readFile(join(root, "etc/chest/token"), "utf8")).trim();
    const door = restDoor({ url: `http://127.0.0.1:${port}`, token });
    const fact = {
      entity_name: "acme",
      entity_kind: "project",
      layer: "learning",
      content: "the unit keeps its store",
    };
    await ask(door, "chest_remember", fact);

    const status = look.split("\n").find((line) => line.startsWith("sudo -u chest")) ?? "";
    expect(await shell(status)).toContain("1 live");
    expect((await stat(join(root, "var/lib/chest/chest.db"))).mode & 0o777).toBe(0o600);
  });

  it("builds with the launcher, by existing commands", async () => {
    const install = commandsOf("bare-metal.md", "Install").join("\n");
    const upgrade = commandsOf("bare-metal.md", "Upgrade, and go back").join("\n");
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    for (const text of [install, upgrade]) {
      expect(text).toContain("npm run build\n");
      for (const [, name = ""] of text.matchAll(/npm run (\w+)/g)) expect(scripts).toHaveProperty(name);
    }
  });
});

describe("the systemd unit", () => {
  it.skipIf(!hasSystemd)("has no fault that systemd finds", async () => {
    const file = join(root, "chest.service");
    await writeFile(file, (await unit()).replaceAll(/^(User|Group)=.*$/gm, ""));
    const { stdout, stderr } = await run("systemd-analyze", ["verify", file]);
    expect(`${stdout}${stderr}`).toBe("");
  });

  it.skipIf(!hasSystemd)("would be reported with a directive that systemd does not know", async () => {
    const file = join(root, "chest.service");
    await writeFile(file, (await unit()).replace("RestrictRealtime=", "RestrictRealtimes="));
    const { stderr } = await run("systemd-analyze", ["verify", file]);
    expect(stderr).toContain("RestrictRealtimes");
  });
});

/** Texts of the elements of one name, in their order. */
const textsOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => text);

/** Runs what a service would, with the variables that it sets, until it answers; it makes its token itself. */
async function startOwn(words: readonly string[], set: NodeJS.ProcessEnv): Promise<void> {
  const [file = "", ...args] = words;
  const env = cleanEnv({ PATH: "/usr/bin:/bin", HOME: root, ...set, CHEST_PORT: String(port) });
  service = startProgram(file, args, env);
  await waitUntilReady(service, async () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  expect((await stat(join(root, ".chest-memory/token"))).mode & 0o077).toBe(0);
}

describe("a computer of one's own", () => {
  it("runs on a Mac what the agent of launchd names, filled in by the command of the guide", async () => {
    const [fill = ""] = /^sed .*(?= >)/m.exec(await readFile(join(ROOT, "docs/bare-metal.md"), "utf8")) ?? [];
    const clone = join(root, "opt/chest");
    const { stdout: plist } = await run("sh", ["-c", fill], {
      cwd: clone,
      env: { ...process.env, HOME: root, PWD: clone },
    });
    const [array = ""] = /<array>[\s\S]*?<\/array>/.exec(plist) ?? [];
    const words = textsOf(array, "string");
    expect(plist).not.toMatch(/\b(?:CHEST|HOME)[/<]/);
    expect(textsOf(plist, "string")).toEqual(expect.arrayContaining([clone, `${root}/Library/Logs/chest-memory.log`]));
    expect(textsOf(plist, "integer")).toEqual(["15", String(0o077)]);
    await startOwn(words, { NODE_ENV: "production" });
  });

  it("runs on Windows what the scheduled task names", async () => {
    const guide = await readFile(join(ROOT, "docs/bare-metal.md"), "utf8");
    const [file = ""] = /deploy\\task-scheduler\\[\w.-]+/.exec(guide) ?? [];
    const clone = join(root, "opt/chest");
    const template = await readFile(join(ROOT, file.replaceAll("\\", "/")), "utf8");
    const task = template.replaceAll("CHEST", clone).replaceAll("USER", "PC\\dev").replaceAll("\\", "/");
    const [command = ""] = textsOf(task, "Command");
    const [words = ""] = textsOf(task, "Arguments");
    expect(textsOf(task, "UserId")).toEqual(["PC/dev", "PC/dev"]);
    expect(textsOf(task, "WorkingDirectory")).toEqual([clone]);
    // No program of Windows runs here: the same file under this system's name.
    const given = words.split(/ (?=")/).map((word) => word.replaceAll('"', ""));
    await startOwn([command.replace(/\.exe$/, ""), ...given], {});
  });
});
