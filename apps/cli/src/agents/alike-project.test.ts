import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localCaller, openAccessAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { alikeProject } from "./alike-project.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-alike-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const target = () =>
  ({ profile: { mode: "local", db_path: join(dir, "chest.db") }, token: undefined, warnings: [] }) as const;
const told = (env: object = {}) => alikeProject(target(), { HOME: dir, ...env }, join(dir, "work"));

async function withProjects(...keys: readonly string[]): Promise<void> {
  const engine = await openSqliteEngine({ path: join(dir, "chest.db") });
  for (const key of keys)
    await openAccessAdmin(engine.access, localCaller(undefined), systemClock).setProject({ key, access: "open" });
  await engine.close();
}

function cloned(url: string, more = ""): void {
  const git = join(dir, "work", ".git");
  mkdirSync(git, { recursive: true });
  writeFileSync(join(git, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(git, "config"), `[remote "origin"]\n\turl = ${url}\n${more}`);
}

it("names the project of a key that the remote had as it is written, also where nothing else of it is alike", async () => {
  cloned("gh:store.git", '[url "https://github.com/acme/shop"]\n\tinsteadOf = gh:store.git\n');
  await withProjects("gh/store");
  expect(await told()).toContain("`chest-index project rename gh/store github.com/acme/shop`");
  await withProjects("github.com/acme/shop");
  expect(await told()).toContain("`chest-index project join gh/store github.com/acme/shop`");
});

it("says nothing where both keys lead to one project, where nothing is alike, and where there is no project", async () => {
  cloned("https://github.com/acme/shop");
  await withProjects("github.com/acme/inn");
  expect(await told()).toBeUndefined();
  await withProjects("github.com/ann/shop", "github.com/acme/shop");
  expect(await told()).toContain("project join github.com/ann/shop github.com/acme/shop");
  expect(await told({ CHEST_PROJECT: "github.com/acme/inn" })).toBeUndefined();
  const engine = await openSqliteEngine({ path: join(dir, "chest.db") });
  const both = { key: "github.com/ann/shop", into: "github.com/acme/shop", confirm: true };
  await openAccessAdmin(engine.access, localCaller(undefined), systemClock).joinProjects(both);
  await engine.close();
  expect(await told()).toBeUndefined();
});
