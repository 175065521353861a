import { transcriptOf } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { readCarry } from "./carry.ts";
import { Extraction } from "./extract.ts";
import { slimLine } from "./slim.ts";

const FOLDER = "/home/dev/acme";
const SECRET = ["ghp", "b".repeat(36)].join("_");

function found(lines: readonly string[]) {
  const extraction = new Extraction();
  const all = [...lines.map((line) => extraction.take(line)), extraction.end()];
  return all.flatMap(({ candidates }) => candidates).filter(({ rule }) => rule === "episode");
}
const told = (lines: readonly string[]) => found(lines).map(({ text }) => text);

/** Transcript lines of a command and its outcome. */
function ran(maker: ReturnType<typeof transcriptOf>, command: string, failure?: string): string[] {
  uses += 1;
  return [maker.runs(command, `use-${uses}`), maker.result(`use-${uses}`, failure)];
}
let uses = 0;
const reads = (session: string, path: string, minute: number) =>
  JSON.stringify({
    type: "assistant",
    uuid: `${session}-read-${path}`,
    sessionId: session,
    cwd: FOLDER,
    timestamp: new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString(),
    message: { role: "assistant", content: [{ type: "tool_use", id: path, name: "Read", input: { file_path: path } }] },
  });

describe("an episode", () => {
  it("is what was edited and run, and how it ended", () => {
    const s = transcriptOf("s");
    expect(
      told([
        s.user("Make the login tokens expire after fifteen minutes, please."),
        s.edits(`${FOLDER}/src/token.ts`),
        ...ran(
          s,
          "cd /home/dev/acme && npm test 2>&1",
          "FAIL src/token.test.ts\nTypeError: ttl.toSeconds is no function\n  at x",
        ),
        s.edits(`${FOLDER}/src/token.ts`),
        ...ran(s, "npm test"),
        ...ran(s, 'git add -A && git commit -m "fix(token): seconds; not milliseconds" && git push'),
      ]),
    ).toEqual([
      [
        "Worked on src/token.ts: tests failed, then passed; git went well",
        "Edited src/token.ts (2)",
        "`cd /home/dev/acme && npm test 2>&1` failed, then passed",
        '`git commit -m "fix(token): seconds; not milliseconds"` went well',
        "`git push` went well",
      ].join("\n"),
    ]);
  });

  it("says what is still wrong in the line that names it, and nothing else that was printed", () => {
    const s = transcriptOf("s");
    const printed = `> acme@1.0.0 build\nsrc/a.ts(3,1): error TS2304: Cannot find name 'ttl'.\nnpm_token=${SECRET}\nmore`;
    expect(told([s.edits(`${FOLDER}/src/a.ts`), ...ran(s, `TOKEN=${SECRET} npm run build`, printed)])).toEqual([
      [
        "Worked on src/a.ts: the build failed",
        "Edited src/a.ts (1)",
        "`TOKEN=[REDACTED] npm run build` failed: src/a.ts(3,1): error TS2304: Cannot find name 'ttl'.",
      ].join("\n"),
    ]);
  });

  it("claims nothing of what a pipe or a following command hides", () => {
    const s = transcriptOf("s");
    expect(told([...ran(s, "npm test | tail -5; npm run build"), ...ran(s, "npm publish || true")])).toEqual([
      [
        "Tests ran; the build went well; a deployment ran",
        "`npm test` ran",
        "`npm run build` went well",
        "`npm publish` ran",
      ].join("\n"),
    ]);
  });

  it.each([
    ["edits alone, which are remembered with their reason", (s: Maker) => [s.edits("a.ts"), s.edits("b.ts")]],
    ["one test", (s: Maker) => ran(s, "npm test")],
    ["looking", (s: Maker) => [...ran(s, "git log -3"), ...ran(s, "cat a.ts | grep x", "cat: a.ts: No such file")]],
    ["talk", (s: Maker) => [s.user("Thank you, that is all for today then."), s.says("You are welcome.")]],
    ["asking what a command can do", (s: Maker) => [...ran(s, "npm publish --dry-run"), ...ran(s, "git tag -l")]],
  ])("is none of %s", (_, lines) => {
    expect(told(lines(transcriptOf("s")))).toEqual([]);
  });

  it("is eight files read, and no fewer", () => {
    const lines = Array.from({ length: 12 }, (_, at) => reads("s", `${FOLDER}/src/${at}.ts`, 1));
    expect(told([...lines.slice(0, 7), ...lines.slice(0, 7)])).toEqual([]);
    expect(told(lines)).toEqual([
      `Looked through 12 files\nRead ${Array.from({ length: 10 }, (_, at) => `src/${at}.ts`).join(", ")} and 2 more`,
    ]);
  });

  it("is over after ten things, five quiet minutes, or in another project", () => {
    const s = transcriptOf("s");
    const at = (minute: number, over = {}) => ({
      timestamp: `2026-11-21T10:${String(minute).padStart(2, "0")}:00.000Z`,
      ...over,
    });
    const many = Array.from({ length: 12 }, (_, nth) => [
      s.runs(`git tag v${nth}`, `m${nth}`, at(1)),
      JSON.stringify({ ...JSON.parse(s.result(`m${nth}`)), ...at(1) }),
    ]);
    expect(told(many.flat()).map((text) => text.split("\n").length)).toEqual([11, 3]);

    const apart = (minute: number, cwd: string) => {
      const over = at(minute, { cwd });
      const id = `${minute}-${cwd}`;
      return [s.runs(`git tag t${minute}`, id, over), JSON.stringify({ ...JSON.parse(s.result(id)), ...over })];
    };
    expect(told([apart(1, FOLDER), apart(6, FOLDER)].flat())).toHaveLength(1);
    expect(told([apart(1, FOLDER), apart(7, FOLDER)].flat())).toHaveLength(2);
    expect(told([apart(1, FOLDER), apart(2, `${FOLDER}/packages/a`)].flat())).toHaveLength(1);
    expect(told([apart(1, FOLDER), apart(2, "/home/dev/other")].flat())).toHaveLength(2);
  });

  it("is the same whether the lines come at once or one by one, whole or slimmed, and keeps its key as it grows", () => {
    const s = transcriptOf("s");
    const lines = [
      s.edits(`${FOLDER}/src/a.ts`),
      ...ran(s, "npm test", "TypeError: x is no function"),
      ...ran(s, `curl -H "<private>what nobody may see</private>" x && git commit -m "<private>hidden</private> a"`),
    ];
    const whole = found(lines);
    expect(whole).toHaveLength(1);
    expect(whole[0]?.text).not.toMatch(/nobody|hidden/);
    expect(found(lines.map(slimLine))).toEqual(whole);
    let carry: string | undefined;
    const grown = lines.flatMap((line) => {
      const extraction = new Extraction(readCarry(carry));
      const { candidates } = { candidates: [...extraction.take(line).candidates, ...extraction.end().candidates] };
      carry = JSON.stringify(extraction.carry());
      return candidates.filter(({ rule }) => rule === "episode");
    });
    expect(new Set(grown.map(({ key }) => key)).size).toBe(1);
    expect(grown.at(-1)).toEqual(whole[0]);
  });

  it("is one of forty at most in a session", () => {
    const s = transcriptOf("s");
    const lines = Array.from({ length: 600 }, (_, nth) => ran(s, `git tag v${nth}`)).flat();
    expect(found(lines)).toHaveLength(40);
  });
});

type Maker = ReturnType<typeof transcriptOf>;
