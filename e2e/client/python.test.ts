import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { ROOT } from "../support/process.ts";
import { has } from "../support/requirements.ts";

const NEW_ENOUGH = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
const ASKS_REGISTRY = ["python3", "-m", "pip", "index", "versions", "httpx"] as const;
const hasPython = has("python", ["python3", "-c", NEW_ENOUGH], ASKS_REGISTRY);

const run = promisify(execFile);

describe.skipIf(!hasPython)("the Python client, installed in a separate environment", () => {
  let dir: string;
  let backend: Backend;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-python-"));
    // A build writes files beside its sources, so it gets a copy.
    await cp(join(ROOT, "packages/sdk-python"), join(dir, "package"), { recursive: true });
    [backend] = await Promise.all([startBackend(), install()]);
  }, 240_000);
  afterAll(async () => {
    await backend?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  async function install(): Promise<void> {
    await run("python3", ["-m", "venv", join(dir, "venv")]);
    await python("-m", "pip", "install", "--quiet", "--disable-pip-version-check", `${join(dir, "package")}[test]`);
  }
  const python = (...args: readonly string[]) =>
    run(join(dir, "venv/bin/python"), args, {
      cwd: join(dir, "package/tests"),
      env: { ...process.env, CHEST_REMOTE_URL: backend?.url, CHEST_API_TOKEN: backend?.token },
    });

  it("remembers, recalls, refuses and keeps what LangGraph stores", async () => {
    const { stderr } = await python("-m", "unittest", "discover");
    expect(stderr).toMatch(/^Ran \d\d tests in .+\n\nOK\n$/m);
  }, 240_000);

  it("is typed, its tests and examples too", async () => {
    const { stdout } = await python("-m", "mypy", "--config-file", "../pyproject.toml", "../tests", "../examples");
    expect(stdout).toContain("no issues found");
  }, 240_000);
});
