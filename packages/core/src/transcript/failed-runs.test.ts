import { transcriptOf } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { Extraction } from "./extract.ts";
import { slimLine } from "./slim.ts";

const { user, says, edits, runs, result } = transcriptOf("s");

/** Notes of failures as they stand in the end, by their keys. */
function notes(...lines: readonly string[]): string[] {
  const read = (all: readonly string[]) => {
    const extraction = new Extraction();
    const found = all.flatMap((line) => extraction.take(line).candidates);
    const last = new Map([...found, ...extraction.end().candidates].map((each) => [`${each.rule} ${each.key}`, each]));
    return [...last.values()].flatMap(({ rule, text }) => (rule === "failure" ? [text] : []));
  };
  const all = [user("Make the nightly job run again, please."), ...lines];
  expect(read(all.map(slimLine))).toEqual(read(all));
  return read(all);
}
let uses = 0;
function ran(command: string, failure?: string): string[] {
  uses += 1;
  return [runs(command, `f${uses}`), result(`f${uses}`, failure)];
}
const LOCKED = "heron: error: the nest is locked by another process";

describe("the note of a failure", () => {
  it("tells what was said and run until the command went well", () => {
    expect(
      notes(
        ...ran("git push", " ! [rejected] main -> main (fetch first)"),
        says("Someone pushed in the meantime. Let me rebase first."),
        ...ran("git pull --rebase"),
        ...ran("git push"),
      ),
    ).toEqual([
      "`git push` failed: ! [rejected] main -> main (fetch first)\nSomeone pushed in the meantime. Let me rebase first.\nThen the agent ran `git pull --rebase`. It went well again",
    ]);
  });

  it("tells how the command that went well differs", () => {
    expect(notes(...ran('heron feed "worms"', LOCKED), ...ran('heron feed --unlock "slugs"'))).toEqual([
      `\`heron feed "worms"\` failed: ${LOCKED}\nIt went well as \`heron feed --unlock "slugs"\``,
    ]);
    const query = (owner: string) =>
      `gh api graphql -f query='\n{ repository(owner: "${owner}", name: "nest") { id } }'`;
    const [note] = notes(...ran(query("heron"), "gh: Could not resolve to a Repository"), ...ran(query("egret")));
    expect(note).toContain('It went well with `repository(owner: "egret", name: "nest")');
    expect(note).toContain('in place of `repository(owner: "heron", name: "nest")');
  });

  it("waits for each part of a command line", () => {
    const lines = [...ran('git add a.ts && git commit -m "$(cat <<EOF\nnest\nEOF\n)"', LOCKED), ...ran("git add a.ts")];
    expect(notes(...lines)).toEqual([expect.not.stringContaining("went well")]);
    expect(notes(...lines, ...ran('git commit -m "nest"'))).toEqual([
      expect.stringContaining('It went well as `git commit -m "nest"`'),
    ]);
  });

  it("takes an option's value for no argument", () => {
    const lines = [
      ...ran("git -C /home/dev/nest push", " ! [rejected] main -> main (fetch first)"),
      ...ran("git -C /home/dev/nest status"),
      ...ran("git pull --rebase"),
    ];
    expect(notes(...lines)).toEqual([expect.not.stringContaining("went well")]);
    expect(notes(...lines, ...ran("git push"))).toEqual([expect.stringContaining("It went well as `git push`")]);
  });

  it("is no other test's", () => {
    const lines = [...ran("npx vitest run a.test.ts", LOCKED), edits("/home/dev/acme/a.ts")];
    expect(notes(...lines, ...ran("npx vitest run b.test.ts"))).toEqual([expect.not.stringContaining("went well")]);
    expect(notes(...lines, ...ran("npx vitest run"))).toEqual([expect.stringContaining("It went well")]);
  });

  it("tells an explanation where nothing mended it", () => {
    expect(
      notes(
        ...ran("npm test", LOCKED),
        says("This fails on main as well: it needs a live nest."),
        user("Fine, go on then with the page."),
      ),
    ).toEqual([`\`npm test\` failed: ${LOCKED}\nThis fails on main as well: it needs a live nest.`]);
  });

  it.each([
    ["a search that finds nothing", ran("grep -r nest src", "grep: src: No such file or directory")],
    ["a failure after which nothing was said or done", ran("npm test", LOCKED)],
    [
      "a call that was broken off",
      [...ran("npm test", "<tool_use_error>Sibling tool call errored</tool_use_error>"), ...ran("npm test -- a")],
    ],
  ])("is not written of %s", (_, lines) => {
    expect(notes(...lines)).toEqual([]);
  });

  it("tells nothing of what was done long after", () => {
    const later = Array.from({ length: 12 }, (_, nth) => ran(`heron page ${nth}`)).flat();
    const [note] = notes(...ran("npm test", LOCKED), says("The nest is locked."), ...ran("heron open"), ...later);
    expect(note).toContain("`heron open`");
    expect(note).not.toContain("heron page 11");
  });
});
