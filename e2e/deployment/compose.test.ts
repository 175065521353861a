import { execFile } from "node:child_process";
import { chmod, chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeChest15 } from "@chest/store-sqlite/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { runCli } from "../support/clients/cli.ts";
import { ask, type Door, restDoor } from "../support/clients/doors.ts";
import {
  docker,
  hasDocker,
  inspect,
  megabytes,
  Stack,
  sinceStarted,
  tryDocker,
  unlessDocker,
  untilHealthy,
} from "../support/deployment/docker.ts";
import { commandsOf } from "../support/deployment/guide.ts";
import { hasNginx, startTlsProxy } from "../support/deployment/nginx.ts";
import { freePort } from "../support/free-port.ts";
import { cleanEnv, ROOT } from "../support/process.ts";
import { report } from "../support/report.ts";
import { withStoreFile } from "../support/store-file.ts";

const PROJECT = `chest-e2e-${process.pid}`;
const IMAGE = `chest-memory:${PROJECT}`;
const NEXT_IMAGE = `${IMAGE}-next`;
const BARE_IMAGE = `${IMAGE}-bare`;
const TOKEN = "cht_the-token-of-the-compose-tests-000";

// The limit is an hour because a first build without a cache takes long.
const BUILD_MS = 600_000;
const FACT = "Deploys of acme-api stop at the canary when its error rate doubles.";

it("installs in the image with the pnpm of the launcher", async () => {
  const [, launcher] = /"(pnpm@[\d.]+)"/.exec(await readFile(join(ROOT, "deploy/local/registry.mjs"), "utf8")) ?? [];
  const [, image] = /^ARG PNPM=(\S+)$/m.exec(await readFile(join(ROOT, "deploy/docker/Dockerfile"), "utf8")) ?? [];
  expect(launcher).toBeDefined();
  expect(image).toBe(launcher);
});

describe.skipIf(!hasDocker)(`docker compose with the backend alone${unlessDocker}`, () => {
  let stack: Stack;
  let url: string;
  let door: Door;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    door = restDoor({ url, token: TOKEN });
    stack = new Stack({
      project: PROJECT,
      files: ["compose.yaml"],
      env: { CHEST_IMAGE: IMAGE, CHEST_CONTAINER: PROJECT, CHEST_PORT: String(port), CHEST_API_TOKEN: TOKEN },
    });
    const startedAt = performance.now();
    await stack.run("build");
    report("the image", {
      "built in s": Math.round((performance.now() - startedAt) / 1000),
      MB: megabytes(Number(await inspect(IMAGE, "{{.Size}}"))),
      "of that ours, MB": megabytes(await bytesUnder("/opt/chest")),
    });
  }, BUILD_MS);

  afterAll(async () => {
    await stack.remove();
    await tryDocker(["image", "rm", "--force", IMAGE, NEXT_IMAGE, BARE_IMAGE]);
  }, 60_000);

  const bytesUnder = async (folder: string) => {
    const printed = await docker(["run", "--rm", "--network", "none", IMAGE, "du", "--summarize", "--bytes", folder]);
    return Number.parseInt(printed, 10);
  };
  const inside = (...command: string[]) => docker(["exec", PROJECT, ...command]);
  const remembered = async () => {
    const { memories } = await ask(door, "chest_recall", { query: "canary error rate" });
    return (memories as { content: string }[]).map(({ content }) => content);
  };

  it("contains no test, no model, and binaries of this platform only", async () => {
    const ours = "find . -name node_modules -prune -o -name '*.test.*' -print -o -name testing -print";
    const binaries = "find . -name '*.onnx' -o -name '*.node'";
    const found = await docker(["run", "--rm", "--network", "none", IMAGE, "sh", "-c", `${ours}; ${binaries}`]);
    const binariesFound = found.split("\n");
    expect(binariesFound).toEqual(
      expect.arrayContaining([expect.stringMatching(/\/prebuilds\/linux-[a-z0-9]+\.node$/)]),
    );
    const isOfThisPlatform = (file: string) => new RegExp(`linux[-/]${process.arch}\\b.*\\.node$`).test(file);
    expect(binariesFound.filter((file) => !isOfThisPlatform(file))).toEqual([]);
  });

  it("starts on an empty volume and is healthy", async () => {
    await stack.run("up", "--detach");
    await untilHealthy(stack, url);
    report("a first start, on an empty volume", { ms: await sinceStarted(PROJECT) });
    await vi.waitFor(async () => expect(await inspect(PROJECT, "{{.State.Health.Status}}")).toBe("healthy"), {
      timeout: 45_000,
      interval: 500,
    });
  });

  it("runs without privileges, and writes to its data folder only", async () => {
    expect(await inside("id", "-u")).toBe("1000");
    const status = await inside("cat", "/proc/1/status");
    expect(status).toMatch(/^Name:\s+(?:node|MainThread)$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    const { code, output } = await tryDocker(["exec", PROJECT, "touch", "/opt/chest/new"]);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("Read-only file system") });
    expect(await inside("stat", "--format", "%U %a", "/data", "/data/chest.db")).toBe("node 700\nnode 600");
  });

  it("has `chest-index` on the path, which uses the same store", async () => {
    await ask(door, "chest_remember", {
      entity_name: "acme-api",
      entity_kind: "project",
      layer: "realize",
      content: FACT,
    });
    expect(JSON.parse(await inside("chest-index", "status", "--json"))).toMatchObject({
      store: { where: "/data/chest.db", live: 1 },
    });
  });

  it("imports a database of 1.5 from a read-only folder, as the guide says", async () => {
    const old = await mkdtemp(join(tmpdir(), "chest-old-"));
    try {
      makeChest15(join(old, "chest.db"));
      withStoreFile(join(old, "chest.db"), (db) => db.pragma("journal_mode = WAL"));
      await chmod(old, 0o755);
      await chmod(join(old, "chest.db"), 0o644);
      const options = [
        "--rm",
        "--no-deps",
        "--no-TTY",
        "--volume",
        `${old}:/old:ro`,
        "--env",
        "CHEST_DB_PATH=/data/moved.db",
      ];
      const words = ["chest-index", "import", "--from", "chest15", "/old/chest.db"];
      const { code, output } = await stack.try("run", ...options, "chest", ...words);
      expect({ code, output }).toEqual({
        code: 1,
        output: expect.stringContaining("memories: 12 came in, with their ids"),
      });
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  });

  it("runs programs that were compiled at build time", async () => {
    const check = ["node", "apps/server/dist/chest-server.js", "--check"];
    const env = ["--env", `CHEST_API_TOKEN=${TOKEN}`, "--env", "NODE_DEBUG_NATIVE=COMPILE_CACHE"];
    const { code, output } = await tryDocker([
      "run",
      "--rm",
      "--read-only",
      "--network",
      "none",
      ...env,
      IMAGE,
      ...check,
    ]);
    expect(code).toBe(0);
    expect(output).toMatch(/backend\.js was accepted/);
  });

  it("finds after a restart what was remembered before", async () => {
    await stack.run("restart");
    await untilHealthy(stack, url);
    report("a start with data", { ms: await sinceStarted(PROJECT) });
    expect(await remembered()).toEqual([FACT]);
  });

  it("needs little memory at rest", async () => {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const use = await docker(["stats", "--no-stream", "--format", "{{.MemUsage}}", PROJECT]);
    const [mebibytes = ""] = /^[\d.]+(?=MiB)/.exec(use) ?? [];
    report("memory at rest", { MiB: mebibytes });
    expect(Number(mebibytes)).toBeGreaterThan(10);
    expect(Number(mebibytes)).toBeLessThan(300);
  });

  it("contains the skill and the rules for agents, and copies them on request", async () => {
    const files = ["skills/chest-memory/SKILL.md", "rules/chest-memory.md"];
    const home = ["--rm", "--network", "none", "--tmpfs", "/home/node:uid=1000", "--env", "HOME=/home/node"];
    const script = `chest-index install-skill >&2 && cd ~/.claude && cat ${files.join(" ")}`;
    const installed = await docker(["run", ...home, IMAGE, "sh", "-c", script]);
    const texts = await Promise.all(files.map((file) => readFile(join(ROOT, "deploy/claude", file), "utf8")));
    for (const text of texts) expect(installed).toContain(text.trim());
  });

  describe("examined by `chest-index doctor server` on its host", () => {
    interface Finding {
      readonly id: string;
      readonly status: string;
      readonly message: string;
      readonly fix_hint: string;
    }
    const doctor = async (container = PROJECT): Promise<(id: string) => Finding> => {
      const words = ["doctor", "server", "--container", container, "--json", "--timeout", "60"];
      const { stdout } = await runCli(words, cleanEnv({ CHEST_API_TOKEN: TOKEN }));
      const { results } = JSON.parse(stdout) as { results: Finding[] };
      return (id) => results.find((finding) => finding.id === `server.${id}`) ?? expect.fail(`no ${id}`);
    };
    const apply = ({ fix_hint }: Finding) =>
      promisify(execFile)("sh", ["-ec", fix_hint], { env: cleanEnv({}), cwd: join(ROOT, "deploy/docker") });
    const IN_STORE = ["exec", "--workdir", "/opt/chest"];

    it("is fine: container, health, files, volume", async () => {
      await vi.waitFor(async () => expect(await inspect(PROJECT, "{{.State.Health.Status}}")).toBe("healthy"), {
        timeout: 45_000,
        interval: 500,
      });
      const find = await doctor();
      for (const id of [
        "docker.daemon",
        "docker.container",
        "docker.health",
        "compose.override",
        "compose.deploy_files",
      ])
        expect(find(id)).toMatchObject({ status: "ok", fix_hint: "" });
      for (const id of [
        "env.mode",
        "env.token",
        "network.health",
        "url",
        "volume",
        "db.integrity",
        "version",
        "schema",
      ])
        expect(find(id)).toMatchObject({ status: "ok", fix_hint: "" });
      expect(find("compose.override").message).toContain("compose.yaml");
    });

    it("names commands that run inside, and has a backup once one is made there", async () => {
      const before = await doctor();
      expect(before("vectors").message).toBe("1 of 1 have a vector");
      expect(before("tls")).toMatchObject({ status: "ok" });
      await inside("chest-index", "backup");
      expect((await doctor())("backup")).toMatchObject({
        status: "ok",
        message: expect.stringMatching(/^1, the newest/),
      });
    });

    it("lacks a text of its index; the fix rebuilds it with the backend stopped around it", async () => {
      const spoil =
        "new (require('better-sqlite3'))('/data/chest.db').exec('DELETE FROM memory_text WHERE memory_id = 1')";
      await docker([...IN_STORE, PROJECT, "node", "-e", spoil]);
      const before = (await doctor())("text");
      expect(before).toMatchObject({ status: "fail", fix_hint: expect.stringMatching(/^docker stop .*fts rebuild/) });
      await apply(before);
      await untilHealthy(stack, url);
      expect((await doctor())("text").status).toBe("ok");
      expect(await remembered()).toEqual([FACT]);
    });

    it("is stopped; the fix starts it", async () => {
      await stack.run("stop");
      const find = await doctor();
      expect(find("docker.container")).toMatchObject({ status: "fail", fix_hint: `docker start ${PROJECT}` });
      expect(find("network.health").status).not.toBe("ok");
      await apply(find("docker.container"));
      await untilHealthy(stack, url);
      expect((await doctor())("docker.container").status).toBe("ok");
    });

    it("was started by hand, as a client and without a separate volume, and is told what goes with it", async () => {
      const odd = `${PROJECT}-odd`;
      const env = ["--env", `CHEST_API_TOKEN=${TOKEN}`, "--env", "CHEST_MODE=remote"];
      await docker(["run", "--detach", "--name", odd, "--publish", "127.0.0.1::8765", ...env, IMAGE]);
      try {
        await vi.waitFor(async () => expect(await docker(["logs", odd])).toContain('"listening"'), { timeout: 20_000 });
        const find = await doctor(odd);
        expect(find("env.mode")).toMatchObject({ status: "fail", fix_hint: expect.stringContaining("CHEST_MODE") });
        expect(find("compose.override").status).toBe("skip");
        expect(find("volume")).toMatchObject({
          status: "warn",
          message: expect.stringContaining("lost with the container"),
        });
        await apply({ ...find("volume"), fix_hint: find("volume").fix_hint.replaceAll("chest-data", `${odd}-data`) });
        const kept = ["run", "--rm", "--network", "none", "--volume", `${odd}-data:/data`, IMAGE, "ls", "/data"];
        expect(await docker(kept)).toContain("chest.db");
      } finally {
        await tryDocker(["rm", "--force", "--volumes", odd]);
        await tryDocker(["volume", "rm", `${odd}-data`]);
      }
    });
  });

  it.skipIf(!hasNginx)("stands behind an nginx of the host, with the example of an override", async () => {
    const behind = new Stack({
      project: PROJECT,
      files: ["compose.yaml", "compose.override.yaml.example"],
      env: { CHEST_IMAGE: IMAGE, CHEST_CONTAINER: PROJECT, CHEST_PORT: new URL(url).port, CHEST_API_TOKEN: TOKEN },
    });
    await behind.run("up", "--detach");
    await untilHealthy(behind, url);
    expect(await docker(["port", PROJECT])).toBe(`8765/tcp -> 127.0.0.1:${new URL(url).port}`);
    const dir = await mkdtemp(join(tmpdir(), "chest-front-"));
    const front = await startTlsProxy({ upstream: url, dir });
    try {
      const env = { CHEST_API_TOKEN: TOKEN, CHEST_CA_FILE: front.caFile };
      const { stdout } = await runCli(["doctor", "server", "--remote-url", front.url, "--json"], cleanEnv(env));
      const { results } = JSON.parse(stdout) as { results: { id: string; status: string; message: string }[] };
      // Facts that the backend reports about the proxy in front of it: it is trusted, and it passes everything.
      expect(results.find(({ id }) => id === "server.proxy")).toMatchObject({ status: "ok" });
      expect(results.find(({ id }) => id === "server.tls")).toMatchObject({ status: expect.stringMatching(/ok|warn/) });
    } finally {
      await front.stop();
      await rm(dir, { recursive: true, force: true });
    }
    expect(await remembered()).toEqual([FACT]);
    await stack.run("up", "--detach");
    await untilHealthy(stack, url);
  });

  it(
    "is smaller without what only an embedder needs, and searches by words",
    async () => {
      const build = ["build", "--file", "Dockerfile", "--tag", BARE_IMAGE, "--build-arg", "PNPM_FLAGS=--no-optional"];
      const network =
        process.env.CHEST_BUILD_NETWORK === undefined ? [] : ["--network", process.env.CHEST_BUILD_NETWORK];
      const registry = process.env.NPM_CONFIG_REGISTRY;
      const asked = registry === undefined ? [] : ["--build-arg", `NPM_CONFIG_REGISTRY=${registry}`];
      await docker([...build, ...network, ...asked, "../.."]);
      const [whole = 0, bare = 0] = await Promise.all(
        [IMAGE, BARE_IMAGE].map(async (image) => Number(await inspect(image, "{{.Size}}"))),
      );
      report("the image without an embedder", { MB: megabytes(bare), "with one, MB": megabytes(whole) });
      expect(bare).toBeLessThan(whole);
      await stack.with({ CHEST_IMAGE: BARE_IMAGE }).run("up", "--detach");
      await untilHealthy(stack, url);
      expect(await remembered()).toEqual([FACT]);
      expect(await inside("find", "/opt/chest", "-path", "*@huggingface*", "-prune")).toBe("");
      await stack.run("up", "--detach");
      await untilHealthy(stack, url);
    },
    BUILD_MS,
  );

  it("stops cleanly within five seconds", async () => {
    const startedAt = performance.now();
    await stack.run("stop");
    const ms = Math.round(performance.now() - startedAt);
    report("a stop", { ms });
    expect(ms).toBeLessThan(5000);
    expect(await inspect(PROJECT, "{{.State.ExitCode}}")).toBe("0");
    await stack.run("start");
    await untilHealthy(stack, url);
  });

  it("does not start without a token, or with a short one, and says so", async () => {
    const none = await stack.with({ CHEST_API_TOKEN: "" }).try("up", "--detach");
    expect(none.code).not.toBe(0);
    expect(none.output).toContain("put a random text of 32 characters or more into .env");

    const short = await stack.with({ CHEST_API_TOKEN: "too-short" }).try("run", "--rm", "--no-TTY", "chest");
    expect(short.code).toBe(1);
    expect(short.output).toContain("CHEST_API_TOKEN: has fewer than 32 characters");
    expect(short.output).not.toContain("too-short");
  });

  describe("with a folder of the host as its data folder", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "chest-data-"));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    // The folder belongs to the user who runs the tests, and the container must run as another user.
    const uid = process.getuid?.() === 1000 ? 4321 : 1000;
    const check = () => {
      const options = ["--rm", "--network", "none", "--user", String(uid), "--volume", `${folder}:/data`];
      return tryDocker(["run", ...options, "--env", `CHEST_API_TOKEN=${TOKEN}`, IMAGE]);
    };

    it("names its own uid and `chown` when the folder belongs to another user", async () => {
      const { code, output } = await check();
      expect(code).toBe(1);
      expect(output).toContain("`/data` cannot be used (EACCES)");
      expect(output).toContain(`hint: this process runs as uid ${uid}: \`chown ${uid}`);
    });

    it.skipIf(process.getuid?.() !== 0)("starts once that was done", async () => {
      await chown(folder, uid, uid);
      const options = ["--user", String(uid), "--volume", `${folder}:/data`, "--env", `CHEST_API_TOKEN=${TOKEN}`];
      const container = await docker(["run", "--detach", ...options, IMAGE]);
      try {
        await vi.waitFor(async () => expect(await docker(["logs", container])).toContain('"listening"'), {
          timeout: 20_000,
        });
      } finally {
        await docker(["rm", "--force", container]);
      }
    });
  });

  describe("when a new image comes", () => {
    // The present image is built from this tree; the new one has one more migration.
    beforeAll(async () => {
      const folders = ["server", "mcp"].map((app) => `/opt/chest/apps/${app}/dist/migrations/9999_later`);
      const sql = "CREATE TABLE later (id INTEGER PRIMARY KEY);";
      const recipe = `FROM ${IMAGE}\nUSER root\n${folders.map((folder) => `RUN mkdir ${folder} && echo "${sql}" >${folder}/migration.sql\n`).join("")}USER node\n`;
      await docker(["build", "--tag", NEXT_IMAGE, "-"], { input: recipe });
    }, BUILD_MS);

    it("keeps the data, after a backup", async () => {
      await stack.with({ CHEST_IMAGE: NEXT_IMAGE }).run("up", "--detach");
      await untilHealthy(stack, url);
      expect(await inspect(PROJECT, "{{.Config.Image}}")).toBe(NEXT_IMAGE);
      expect(await remembered()).toEqual([FACT]);
      expect(await inside("ls", "/data/backups")).toContain("before-9999_later");
    });

    it("leaves data of the new one to the new one", async () => {
      await stack.with({ CHEST_IMAGE: NEXT_IMAGE }).run("stop");
      const { code, output } = await stack.try("run", "--rm", "--no-TTY", "chest");
      expect(code).toBe(1);
      expect(output).toContain("is of a newer release");
      expect(output).toContain("hint: start the newer release, or restore the backup");
    });

    it("goes back with the backup, as the guide says", async () => {
      const within = (command: string) =>
        stack.run("run", "--rm", "--no-deps", "--no-TTY", "chest", "sh", "-c", command);
      const [backup = "none"] = /\S*before-9999_later\S*/.exec(await within("ls /data/backups")) ?? [];
      await within(`cd /data && mkdir newer && mv chest.db* newer/ && cp backups/${backup} chest.db`);
      await stack.run("up", "--detach");
      await untilHealthy(stack, url);
      expect(await remembered()).toEqual([FACT]);
    });
  });

  it("is removed as the guide says, with its data saved before", async () => {
    const [along = ""] = commandsOf("uninstall.md", "Take the data along");
    const [away = ""] = commandsOf("uninstall.md", "Take the backend away");
    const dir = await mkdtemp(join(tmpdir(), "chest-away-"));
    // Uses names of this test only, and ignores a developer's `.env` or override file.
    const named = { COMPOSE_PROJECT_NAME: PROJECT, COMPOSE_FILE: "compose.yaml", COMPOSE_ENV_FILES: "/dev/null" };
    const env = cleanEnv({ ...named, CHEST_IMAGE: IMAGE, CHEST_CONTAINER: PROJECT, CHEST_API_TOKEN: TOKEN });
    const shell = (script: string, cwd: string) => promisify(execFile)("sh", ["-euc", script], { env, cwd });
    try {
      const copied = along.replace("chest-memory:/data ./chest-data", `${PROJECT}:/data ${dir}/chest-data`);
      expect(copied).not.toBe(along);
      await shell(copied, join(ROOT, "deploy/docker"));
      const count = withStoreFile(join(dir, "chest-data/chest.db"), (db) =>
        db.prepare("SELECT count(*) FROM memories WHERE content = ?").pluck().get(FACT),
      );
      expect(count).toBe(1);

      await shell(away.replace("image rm chest-memory", `image rm ${IMAGE}`), ROOT);
      expect(await docker(["ps", "--all", "--quiet", "--filter", `name=${PROJECT}`])).toBe("");
      expect(await docker(["volume", "ls", "--quiet", "--filter", `name=${PROJECT}`])).toBe("");
      expect((await tryDocker(["image", "inspect", IMAGE])).code).not.toBe(0);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
