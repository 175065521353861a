import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noteRunning } from "@chest/runtime/running-backend";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
let path: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-token-"));
  path = join(dir, "chest.db");
  await (await openSqliteEngine({ path })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

describe("chest-index token", () => {
  it("makes a token in the store, shows it once, lists it without its secret, and ends it", async () => {
    const made = await type("token create --member alice --scopes read,write --expires 90d --label laptop --json");

    expect(made.code).toBe(0);
    const { id, token, ...view } = JSON.parse(made.stdout);
    expect(view).toMatchObject({ member: "alice", scopes: ["read", "write"], label: "laptop" });
    const files = readdirSync(dir).filter((name) => name.startsWith("chest.db"));
    for (const file of files) expect(readFileSync(join(dir, file)).includes(token.slice(-43))).toBe(false);
    expect((await type("token list")).stdout).not.toContain(token);
    const revoked = await type(`token revoke ${id} --json`);
    expect(JSON.parse((await type(`token revoke ${id} --json`)).stdout)).toEqual(JSON.parse(revoked.stdout));
    expect((await type("token list")).stdout).toContain("there are no tokens");
    expect((await type("token list --all")).stdout).toContain(`${id}  alice  read,write  laptop  revoked`);
    const engine = await openSqliteEngine({ path });
    expect(await engine.access.bearer(token)).toBeUndefined();
    await engine.close();
  });

  it("makes a link to the page, for the caller and for an existing member", async () => {
    await type("member add alice");
    const own = JSON.parse((await type("browse --json")).stdout);
    const hers = JSON.parse((await type("page --member alice --at https://chest.example/memory/ --json")).stdout);

    expect(own).toMatchObject({
      member: "local",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8765\/#\/sign-in/),
    });
    expect(hers.url).toMatch(/^https:\/\/chest\.example\/memory\/#\/sign-in\?link=cht_/);
    const engine = await openSqliteEngine({ path });
    const link = await engine.access.bearer(hers.url.replace(/^.*link=/, ""), "link");
    expect(link?.member.name).toBe("alice");
    await engine.close();
  });

  it("makes the link for the port of the backend that runs on this data folder", async () => {
    noteRunning(dir, { url: "http://127.0.0.1:9001", pid: process.pid, db_path: path, backup_dir: undefined });
    expect((await type("page")).stdout).toContain("http://127.0.0.1:9001/#/sign-in?link=");
    expect((await type("status")).stdout).toContain("backend: runs at http://127.0.0.1:9001");
  });

  it.each([
    ["page --member nobody", "member `nobody` not found"],
    ["token create --scopes fly --member a", "scopes"],
    ["token create --member a --expires soon", "expires"],
    ["token create --member local", "built in"],
    ["token create", "chest-index token create --member NAME"],
    ["token create --member a --scopes admin", "`admin` is for admins"],
    ["token revoke 99", "token `99` not found"],
    ["token revoke x", "id"],
    ["member add no/slash", "name"],
    ["member disable nobody", "member `nobody` not found"],
    ["project access k", "needs a change"],
    ["project access k --to closed", "access"],
  ])("`%s` fails with a reason, and changes nothing", async (words, message) => {
    const { code, stdout, stderr } = await type(words);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(JSON.parse((await type("member list --json")).stdout)).toHaveLength(2);
    expect(JSON.parse((await type("token list --all --json")).stdout)).toEqual([]);
  });

  it("says where to begin when there is no store", async () => {
    const { code, stderr } = await captured("token list", { CHEST_DATA_DIR: join(dir, "none") });

    expect(code).toBe(2);
    expect(stderr).toContain("hint: start the backend once");
    expect(readdirSync(dir)).not.toContain("none");
  });
});

describe("chest-index member and project", () => {
  it("add an admin, close a project, disable a member", async () => {
    expect((await type("member add root --admin")).stdout).toMatch(/^\d+ {2}root {2}admin {2}active\n$/);
    expect((await type("member add alice")).code).toBe(0);
    expect((await type("project access host/org/pear --to members --add alice")).stdout).toBe(
      "host/org/pear  members  alice\nno agent has written to it yet: `chest-index project list` shows the keys in use\n",
    );
    expect((await type("project list")).stdout).toBe("host/org/pear  members  alice\n");
    await type("project access host/ann/pear --to open");
    expect((await type("project list")).stdout.split("\n").slice(1)).toEqual([
      "host/ann/pear  open",
      expect.stringMatching(/^hint: .* joins them with `chest-index project join host\/org\/pear host\/ann\/pear`\.$/),
      "",
    ]);
    expect((await type("member disable alice")).stdout).toContain("disabled");
  });
});
