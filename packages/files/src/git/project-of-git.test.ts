import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectKeyOfRemote, repositoryKeyOf } from "@chest/core/access";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reachOf } from "../capture-reach.ts";
import { readProject, readProjectKeys } from "../project.ts";

let home: string;
let env: Record<string, string>;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "chest-git-")));
  env = { HOME: home, PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1" };
  git(".", "config", "--global", "user.name", "a");
  git(".", "config", "--global", "user.email", "a@b.example");
  git(".", "config", "--global", "init.defaultBranch", "main");
});

afterEach(() => rmSync(home, { recursive: true }));

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: join(home, folder), env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

function repository(folder: string, remote?: string): void {
  mkdirSync(join(home, folder), { recursive: true });
  git(folder, "init", "-q");
  git(folder, "commit", "-q", "--allow-empty", "-m", "first");
  if (remote !== undefined) git(folder, "remote", "add", "origin", remote);
}

const read = (folder: string) => readProject(join(home, folder), env, home);
const asGitSays = (folder: string, remote = "origin") =>
  projectKeyOfRemote(git(folder, "ls-remote", "--get-url", remote).trim());

describe("the project of a repository that git made", () => {
  it("is its remote as the longest `insteadOf` rewrites it, of the user and of the repository", () => {
    repository("repo", "work:shop.git");
    git(".", "config", "--global", "url.https://git.example/.insteadOf", "work:");
    expect(read("repo")).toBe("git.example/shop");

    git("repo", "config", "url.ssh://git@other.example/team/.insteadOf", "work:sh");
    expect(read("repo")).toBe("other.example/team/op");
    expect(read("repo")).toBe(asGitSays("repo"));
  });

  it("is read from files that are included, by folder, branch and remote, as git does", () => {
    put("inc/always", '[remote "origin"]\n\turl = https://git.example/Org/always.git\n');
    put("inc/folder", '[url "https://folder.example/"]\n\tinsteadOf = https://git.example/\n');
    put("inc/branch", '[url "https://branch.example/team/"]\n\tinsteadOf = https://git.example/Org/\n');
    put("inc/remote", '[url "https://remote.example/a/team/"]\n\tinsteadOf = https://git.example/Org/al\n');
    put("inc/loop", "[include]\n\tpath = loop\n");
    repository("work/repo");
    git("work/repo", "config", "include.path", "../../../inc/always");
    git("work/repo", "config", "--add", "include.path", "~/inc/absent");
    const seen = [read("work/repo")];
    const conditions = [
      ["gitdir:~/elsewhere/", "folder"],
      ["gitdir:~/work/", "folder"],
      ["onbranch:ma*", "branch"],
      ["hasconfig:remote.*.url:https://git.example/**", "remote"],
      ["gitdir/i:~/WORK/**", "loop"],
    ];
    for (const [condition, file] of conditions) {
      git(".", "config", "--global", "--add", `includeIf.${condition}.path`, join(home, "inc", file ?? ""));
      seen.push(read("work/repo"));
      // Git gives up on files that include each other.
      if (file !== "loop") expect(seen.at(-1)).toBe(asGitSays("work/repo"));
    }
    expect(seen).toEqual([
      ...["git.example/Org/always", "git.example/Org/always", "folder.example/Org/always"],
      ...["branch.example/team/always", "remote.example/a/team/ways", "remote.example/a/team/ways"],
    ]);
  });

  it("takes the configuration that the environment names", () => {
    repository("repo", "gh:Org/repo");
    put("other-config", '[url "https://named.example/"]\n\tinsteadOf = gh:\n');
    env.GIT_CONFIG_GLOBAL = join(home, "other-config");
    expect([read("repo"), asGitSays("repo")]).toEqual(["named.example/Org/repo", "named.example/Org/repo"]);

    Object.assign(env, {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "url.https://counted.example/O.insteadOf",
      GIT_CONFIG_VALUE_0: "gh:O",
    });
    expect([read("repo"), asGitSays("repo")]).toEqual(["counted.example/Org/repo", "counted.example/Org/repo"]);
  });

  it("reads values as git writes them", () => {
    repository("repo");
    for (const base of ['https://a.example/"quoted"/', "https://b.example/;x/", "https://c.example/back\\slash/"]) {
      git("repo", "config", `url.${base}.insteadOf`, 'x: "y" # z\\');
      git("repo", "config", "remote.origin.url", 'x: "y" # z\\Org/repo');
      expect(read("repo")).toBe(asGitSays("repo"));
      git("repo", "config", "--unset", `url.${base}.insteadOf`);
    }
    git("repo", "config", "remote.origin.url", "https://git.example/Org/a \\\nb");
    expect(read("repo")).toBe(asGitSays("repo"));
  });

  it("is the main repository's in a worktree, with a remote or without", () => {
    repository("with", "git@git.example:Org/repo.git");
    repository("shop");
    git("with", "worktree", "add", "-q", "../trees/one");
    git("shop", "worktree", "add", "-q", "../trees/two");
    git(".", "clone", "-q", "--bare", "shop", "store.git");
    git("store.git", "remote", "remove", "origin");
    git("store.git", "worktree", "add", "-q", "../trees/three", "main");
    git(".", "clone", "-q", "--bare", "shop", "beside/.bare");
    git("beside/.bare", "remote", "remove", "origin");
    git("beside/.bare", "worktree", "add", "-q", "../four", "main");

    const seen = ["trees/one", "shop", "trees/two", "trees/three", "beside/four"].map(read);
    expect(seen).toEqual(["git.example/Org/repo", "shop", "shop", "store", "beside"]);
  });

  it("is the submodule's in a worktree of a submodule", () => {
    repository("lib");
    repository("app");
    git("app", "-c", "protocol.file.allow=always", "submodule", "add", "-q", "../lib", "vendor/lib");
    git("app/vendor/lib", "remote", "remove", "origin");
    git("app/vendor/lib", "worktree", "add", "-q", join(home, "tree"));

    expect([read("app/vendor/lib"), read("tree")]).toEqual(["lib", "lib"]);
  });

  it("has a remote of its own in a worktree where the repository is set up so", () => {
    repository("repo", "https://git.example/Org/repo");
    git("repo", "worktree", "add", "-q", "../tree");
    git("repo", "config", "extensions.worktreeConfig", "true");
    git("tree", "config", "--worktree", "url.https://tree.example/.insteadOf", "https://git.example/");

    expect([read("repo"), read("tree")]).toEqual(["git.example/Org/repo", "tree.example/Org/repo"]);
    expect(read("tree")).toBe(asGitSays("tree"));
  });

  it("is `upstream` where a setting says so, or there is no `origin`", () => {
    repository("fork", "https://git.example/me/repo");
    git("fork", "remote", "add", "upstream", "https://git.example/Org/repo");
    repository("only");
    git("only", "remote", "add", "upstream", "https://git.example/Org/repo");
    repository("plain", "https://git.example/me/plain");
    const asked = { ...env, CHEST_PROJECT_REMOTE: "upstream" };

    expect(["fork", "only", "plain"].map(read)).toEqual([
      ...["git.example/me/repo", "git.example/Org/repo", "git.example/me/plain"],
    ]);
    expect(["fork", "only", "plain"].map((each) => readProject(join(home, each), asked, home))).toEqual([
      ...["git.example/Org/repo", "git.example/Org/repo", "git.example/me/plain"],
    ]);
  });
});

describe("an alias of ssh", () => {
  const CONFIG = `Include conf.d/*
Host *.corp !secret.corp
    HostName %h.example
Match exec "touch ${"$"}HOME/was-run"
    HostName matched.example
Match originalhost only host only
    HostName by-match.example
host = "work" # ours
  hostname=github.com
Host github.com
    HostName ssh.github.com
    Port 443
Host tunnel
    HostName 127.0.0.1
`;

  it.each([
    ["git@github.com-me:Org/repo.git", "github.com/Org/repo"],
    ["ssh://git@work:22/Org/repo", "github.com/Org/repo"],
    ["git@x.corp:Org/repo", "x.corp.example/Org/repo"],
    ["git@secret.corp:Org/repo", "secret.corp/Org/repo"],
    ["git@only:Org/repo", "by-match.example/Org/repo"],
    ["git@github.com:Org/repo", "github.com/Org/repo"],
    ["git@tunnel:Org/repo", "tunnel/Org/repo"],
    ["https://work/Org/repo", "work/Org/repo"],
    ["/srv/work:x/repo.git", "repo"],
  ])("stands for its host in %j", (remote, key) => {
    put(".ssh/config", CONFIG);
    put(".ssh/conf.d/10-me", "Host github.com-*\n\tHostName github.com\n");
    repository("repo", remote);
    expect(read("repo")).toBe(key);
  });

  it("is read in files with the line ends of Windows", () => {
    put(".ssh/config", CONFIG.replaceAll("\n", "\r\n"));
    put(".ssh/conf.d/10-me", "Host github.com-*\r\n\tHostName github.com\r\n");
    repository("repo", "git@github.com-me:Org/repo.git");
    const config = join(home, "repo/.git/config");
    writeFileSync(config, readFileSync(config, "utf8").replaceAll("\n", "\r\n"));
    expect(read("repo")).toBe("github.com/Org/repo");
    put("work/.git/config", '[remote "origin"]\r\n\turl = git@work:Org/repo\r\n');
    expect(read("work")).toBe("github.com/Org/repo");
  });

  it("leads where ssh itself says", () => {
    put(".ssh/config", CONFIG.replace(/^Match exec.*\n.*\n/m, ""));
    put(".ssh/conf.d/10-me", "Host github.com-*\n\tHostName github.com\n");
    const config = join(home, ".ssh/config");
    // `ssh -F` takes included files from the real home's folder.
    writeFileSync(config, CONFIG.replace(/^Match exec.*\n.*\n/m, "").replace("conf.d", join(home, ".ssh/conf.d")));
    for (const host of ["github.com-me", "work", "x.corp", "secret.corp", "only", "Work", "other"]) {
      const said = execFileSync("ssh", ["-F", config, "-G", host], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      repository(`of-${host}`, `git@${host}:a/b`);
      const resolved = /^hostname (.*)$/m.exec(said)?.[1];
      expect(read(`of-${host}`)).toBe(`${resolved}/a/b`);
    }
  });

  it("keeps a project out that is excluded by the key of before", () => {
    put(".ssh/config", CONFIG);
    repository("repo", "git@work:Org/Secret");
    const keys = readProjectKeys(join(home, "repo"), env, home);

    expect(keys).toEqual({ key: "github.com/Org/Secret", written: "work/Org/Secret" });
    for (const list of ["work/Org/*", "github.com/org/secret", "GitHub.com/ORG/*"])
      expect(reachOf(join(home, "repo"), keys, { CHEST_EXCLUDE: list })).toBe("none");
    expect(reachOf(join(home, "repo"), keys, { CHEST_EXCLUDE: "github.com/other/*" })).toBe("all");
  });
});

describe("a folder that is not here", () => {
  it("is not the project of the folder that the program runs in", () => {
    const keys = ["C:\\Users\\me\\Shop", "\\\\server\\share\\Shop", "D:/work/Shop"].map((each) =>
      readProject(each, env),
    );
    expect(keys).toEqual(["Shop", "Shop", "Shop"]);
    expect([readProject("", env), readProject("src", env), readProject("C:\\", env)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(readProject(join(home, "gone/Shop"), env, home)).toBe("Shop");
  });

  it("is not read from what is no small file", () => {
    repository("repo", "https://git.example/Org/repo");
    execFileSync("mkfifo", [join(home, "pipe")]);
    symlinkSync("/dev/zero", join(home, "endless"));
    // Git itself would wait for the pipe.
    appendFileSync(join(home, "repo/.git/config"), "[include]\n\tpath = ../../pipe\n\tpath = ../../endless\n");
    mkdirSync(join(home, ".ssh/config"), { recursive: true });
    expect(read("repo")).toBe("git.example/Org/repo");
  });
});

it("writes every address of one repository as one key", () => {
  const same = [
    ["git@github.com:Acme/Shop.git", "https://GitHub.com/acme/shop", "ssh://git@ssh.github.com:443/ACME/shop.git"],
    ["ssh://git@altssh.gitlab.com:443/Group/Sub/Repo.git", "https://gitlab.com/group/sub/repo"],
    ["https://me@bitbucket.org/Team/Repo.git", "git@bitbucket.org:team/repo.git"],
    ["git@gitlab.acme.example:Team/Repo", "https://gitlab.acme.example:8443/team/repo.git"],
    [
      ...[
        "https://me@dev.azure.com/Org/My Project/_git/Repo",
        "https://me@dev.azure.com/Org/My%20Project/_git/Repo",
        "git@ssh.dev.azure.com:v3/Org/My%20Project/Repo",
      ],
      ...[
        "https://org.visualstudio.com/My%20Project/_git/Repo",
        "Org@vs-ssh.visualstudio.com:v3/Org/My%20Project/Repo",
      ],
      "https://org.visualstudio.com/DefaultCollection/My%20Project/_git/_optimized/Repo",
    ],
    [
      "https://dev.azure.com/Org/_git/Repo",
      "https://org.visualstudio.com/_git/repo",
      "git@ssh.dev.azure.com:v3/org/repo/repo",
    ],
  ].map((remotes) => new Set(remotes.map((each) => repositoryKeyOf(projectKeyOfRemote(each) ?? ""))));

  expect(same.map((keys) => [...keys])).toEqual([
    ["github.com/acme/shop"],
    ["gitlab.com/group/sub/repo"],
    ["bitbucket.org/team/repo"],
    ["gitlab.acme.example/team/repo"],
    ["dev.azure.com/org/my%20project/_git/repo"],
    ["dev.azure.com/org/repo/_git/repo"],
  ]);
  for (const key of ["git.example/Org/Repo", "Acme/Shop", "dev.azure.com/Org", "a/b", "*", "Shop", "/srv/X"])
    expect(repositoryKeyOf(key)).toBe(key);
  for (const [key] of same.map((keys) => [...keys])) expect(repositoryKeyOf(key ?? "")).toBe(key);
});
