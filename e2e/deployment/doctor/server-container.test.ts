import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sharedServer, testsEveryCheckOf } from "../../support/deployment/doctored-server.ts";

vi.setConfig({ testTimeout: 180_000 });

const CONTAINER = "chest-memory";
const shared = sharedServer();
/** Folder of the compose files. */
const stack = () => join(shared.server.root, "stack");

/** The only container that the stand-in for docker reports. */
interface Docked {
  readonly isUp: boolean;
  readonly status: string;
  readonly health: string;
  readonly env: readonly string[];
  /** Compose files that the container was started with. */
  readonly files: readonly string[];
  readonly publishedOn: string;
  /** Name of a rules file that the container's image lacks. */
  readonly missing: string;
}

let docked: Docked;
function tell(change: Partial<Docked> = {}): void {
  docked = { ...docked, ...change };
  const folder = join(shared.server.root, "docked");
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("inspected.json", inspected(docked));
  write("started.json", inspected({ ...docked, status: "running" }));
  write("missing", docked.missing);
  const paths = docked.files.map((name) => `'${join(stack(), name)}'`);
  shared.server.program(
    "docker",
    `cd '${folder}' && ${docked.isUp} || exit 1
case "$*" in
info*) echo 28 ;;
"container inspect ${CONTAINER}"*) cat inspected.json ;;
"exec ${CONTAINER} node"*) cat missing ;;
"start ${CONTAINER}"*) cp started.json inspected.json ;;
logs*) echo listening ;;
"compose build"*) : >missing ;;
"compose config"*) ls ${paths.join(" ")} || exit 14 ;;
"compose up"*) echo "docker $*" >>'${join(shared.server.root, "asked")}' ;;
*) exit 1 ;;
esac`,
  );
}

const inspected = ({ env, files, status, health, publishedOn }: Docked) =>
  JSON.stringify([
    {
      Created: new Date().toISOString(),
      Config: {
        Image: "chest-memory",
        Env: env,
        Labels: {
          "com.docker.compose.project": "chest",
          "com.docker.compose.project.config_files": files.map((name) => join(stack(), name)).join(","),
          "com.docker.compose.project.working_dir": stack(),
        },
      },
      State: { Status: status, Health: { Status: health } },
      NetworkSettings: { Ports: { "8765/tcp": [{ HostIp: publishedOn, HostPort: String(shared.server.port) }] } },
      Mounts: [{ Type: "volume", Destination: "/data", Name: "chest-data" }],
    },
  ]);

const writeStack = (name: string, text = "services: {}\n") => writeFileSync(join(stack(), name), text);

beforeEach(() => {
  rmSync(stack(), { recursive: true, force: true });
  mkdirSync(stack());
  writeStack("compose.yaml");
  docked = {
    isUp: true,
    status: "running",
    health: "healthy",
    env: [],
    files: ["compose.yaml"],
    publishedOn: "127.0.0.1",
    missing: "",
  };
  tell();
});

describe("doctor server, for a container", () => {
  it("finds nothing wrong with one that runs as it should", async () => {
    const { results, exitCode } = await shared.server.doctor();
    expect([exitCode, results.slice(0, 5).map(({ status }) => status)]).toEqual([0, ["ok", "ok", "ok", "ok", "ok"]]);
  });

  it.each<[string, string, "warn" | "fail", Partial<Docked>, (fixed: () => Promise<{ stdout: string }>) => unknown]>([
    ["is stopped", "docker.container", "fail", { status: "exited" }, (fixed) => fixed()],
    ["still starts", "docker.health", "warn", { health: "starting" }, () => tell({ health: "healthy" })],
    [
      "fails its health check",
      "docker.health",
      "fail",
      { health: "unhealthy" },
      async (fixed) => {
        expect((await fixed()).stdout).toContain("listening");
        tell({ health: "healthy" });
      },
    ],
    [
      "was started with a file that is gone",
      "compose.override",
      "warn",
      { files: ["gone.yaml"] },
      async (fixed) => {
        await expect(fixed()).rejects.toMatchObject({ code: 14 });
        tell({ files: ["compose.yaml"] });
        await fixed();
      },
    ],
    ["lacks the rules", "compose.deploy_files", "warn", { missing: "rules/chest-memory.md" }, (fixed) => fixed()],
    [
      "is a client of another one",
      "env.mode",
      "fail",
      { env: ["CHEST_MODE=remote"] },
      async (fixed) => {
        writeStack(".env", "CHEST_MODE=remote\n");
        expect((await fixed()).stdout).toContain(".env:1:CHEST_MODE=remote");
        tell({ env: [] });
      },
    ],
  ])("reports one that %s; gone after the fix", async (_, id, status, broken, mend) => {
    const { server } = shared;
    tell(broken);
    const before = (await server.doctor()).find(`server.${id}`);
    expect(before.status).toBe(status);
    await mend(() => server.apply(before, {}, stack()));
    expect((await server.doctor()).find(`server.${id}`)).toMatchObject({ status: "ok", fix_hint: "" });
  });

  it("reports an override that was not applied; the fix applies it", async () => {
    const { server } = shared;
    writeStack("compose.override.yaml");
    const before = (await server.doctor()).find("server.compose.override");
    expect(before).toMatchObject({ status: "warn", message: expect.stringContaining("is not applied") });
    await server.apply(before);
    expect(server.machineCommands()).toBe("docker compose up -d");
    tell({ files: ["compose.yaml", "compose.override.yaml"] });
    const after = await server.doctor();
    expect(after.find("server.compose.override").status).toBe("ok");
    expect(after.find("server.tls").status).toBe("ok");
  });

  it("reports plain HTTP on every interface; the fix publishes it on this machine only", async () => {
    const { server } = shared;
    writeStack(".env", "CHEST_PUBLISH=0.0.0.0\nCHEST_PORT=8765\n");
    tell({ publishedOn: "0.0.0.0" });
    const before = (await server.doctor()).find("server.tls");
    expect(before).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/^plain HTTP on every interface: .*0\.0\.0\.0\n.*TLS/),
    });
    await server.apply(before);
    expect(server.machineCommands()).toBe("docker compose up -d");
    expect(readFileSync(join(stack(), ".env"), "utf8")).toBe("CHEST_PUBLISH=127.0.0.1\nCHEST_PORT=8765\n");
    tell({ publishedOn: "127.0.0.1" });
    expect((await server.doctor()).find("server.tls").status).toBe("ok");
  });

  it("requires docker where a container was named", async () => {
    const { server } = shared;
    tell({ isUp: false });
    const named = ["--container", CONTAINER];
    const before = (await server.doctor(named)).find("server.docker.daemon");
    expect(before.status).toBe("fail");
    await expect(server.apply(before)).rejects.toThrow();
    tell({ isUp: true });
    expect((await server.apply(before)).stdout).toContain("28");
    expect((await server.doctor(named)).find("server.docker.daemon").status).toBe("ok");
  });
});

testsEveryCheckOf("container");
