import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-inspect-"));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

it("lists tags, the memories of one, and any view, as text and as JSON", async () => {
  await type("remember wombat-digs --tags night --entity acme --project pear");
  await type("remember quoll-hunts --tags night --entity acme --project pear");
  expect((await type("tags")).stdout).toBe("night: 2\n");
  expect((await type("tags night")).stdout).toMatch(/quoll[\s\S]*wombat/);
  const recent = await type("inspect recent --limit 1");
  expect(recent.stdout).toContain("quoll-hunts");
  expect(recent.stdout).toContain("1 more");
  expect(JSON.parse((await type("inspect stats --json")).stdout)).toMatchObject({
    view: "stats",
    items: [{ memories: 2, by_project: { pear: 2 } }],
  });
  expect(await type("inspect everything")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("use one of recent"),
  });
  expect(await type("inspect history")).toMatchObject({ code: 2, stderr: expect.stringContaining("id") });
});

it("shows both sides of a contradiction, and a memory's neighbours in time", async () => {
  for (const port of [8080, 9443]) await type(`remember gateway-listens-on-port-${port} --entity acme --project pear`);
  await type("remember The\tquery\tcache\tis\tenabled --entity acme --project pear");
  await type("remember The\tquery\tcache\tis\tdisabled --entity acme --project pear");
  expect((await type("inspect contradictions")).stdout).toMatch(
    /contradiction \(opposite\):\n {2}\[memory:4\].*cache.is.disabled\n {2}\[memory:3\].*cache.is.enabled\n/,
  );
  const around = (await type("inspect timeline --id 2 --before 1 --after 1 --project pear")).stdout;
  expect(around).toMatch(/^\[memory:1\].*\n→ \[memory:2\].*\n\[memory:3\].*\n$/);
  expect(await type("inspect timeline --before 99")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("before"),
  });
});

it("renames a project and gives it aliases, and merges two only when told to", async () => {
  await type("remember one --entity acme --project pear");
  await type("remember two --entity acme --project plum");
  expect((await type("project rename pear apple")).stdout).toMatch(/^apple\s+open\s+also pear/);
  expect((await type("recall one --project pear")).stdout).toContain("one");
  const refused = await type("project alias apple --add plum");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("merge") });
  expect((await type("project alias apple --add plum --merge")).stdout).toContain("also pear, plum");
  expect((await type("recall two --project apple")).stdout).toContain("two");
  expect(await type("project alias apple --remove plum")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("chest-index project split plum"),
  });
  expect((await type("project alias apple --remove pear")).stdout).toMatch(/also plum\n$/);
});

it("joins two projects after a preview, and splits them again", async () => {
  await type("remember fact-one --entity acme --project pear");
  await type("remember fact-two --entity acme --project plum");
  const preview = (await type("project join pear plum")).stdout;
  expect(preview).toBe(
    `1 memory, 0 sessions, 0 tasks, and 0 unanswered questions of pear would lie in plum
both are open to every member
nothing was done; pass --yes to do it
`,
  );
  expect((await type("recall fact --project plum")).stdout).not.toContain("#1 ");
  expect((await type("project join pear plum --yes")).stdout).toMatch(/^1 memory.* of pear lie in plum now\n/);
  await type("remember fact-three --entity acme --project pear");
  for (const key of ["pear", "plum"]) expect((await type(`recall fact --project ${key}`)).stdout).toContain("#1 ");
  expect(await type("project join pear plum")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("one project"),
  });
  expect((await type("project split pear")).stdout).toContain("would lie in pear again");
  expect((await type("project split pear --yes")).stdout).toMatch(/^1 memory.* of plum lie in pear again\n/);
  expect((await type("recall fact --project plum")).stdout).toContain("#3 ");
  expect((await type("recall fact --project plum")).stdout).not.toContain("#1 ");
  expect(await type("project split pear")).toMatchObject({ code: 2, stderr: expect.stringContaining("was joined") });
  const closed = await type("project access plum --to members");
  expect(closed).toMatchObject({ code: 0 });
  expect((await type("project join pear plum")).stdout).toContain(
    "what is closed stays closed: open to nobody yet alone",
  );
});

it("hands over private memories of a member that left", async () => {
  for (const name of ["ann", "ben"]) await type(`member add ${name}`);
  expect(await type("member hand-over ann ben")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("member disable ann"),
  });
  await type("member disable ann");
  expect((await type("member hand-over ann ben")).stdout).toContain("would hand 0 private memories of ann to ben");
  expect((await type("member hand-over ann ben --yes")).stdout).toContain("handed 0 private memories");
});
