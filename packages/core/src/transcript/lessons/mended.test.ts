import { transcriptOf } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { Extraction } from "../extract.ts";
import { slimLine } from "../slim.ts";

const { user, says, edits, runs, result } = transcriptOf("s");
const IMPORT =
  "Traceback (most recent call last):\n  File \"job.py\", line 4\nModuleNotFoundError: No module named 'rates'";

function fixes(...lines: readonly string[]): string[] {
  const read = (all: readonly string[]) => {
    const extraction = new Extraction();
    return all
      .flatMap((line) => extraction.take(line).candidates)
      .flatMap(({ rule, text }) => (rule === "fix" ? [text] : []));
  };
  const all = [user("Make the nightly job run again, please."), ...lines];
  expect(read(all.map(slimLine))).toEqual(read(all));
  return read(all);
}
let uses = 0;
function ran(command: string, failure?: string): string[] {
  uses += 1;
  return [runs(command, `u${uses}`), result(`u${uses}`, failure)];
}

describe("a failure that was mended", () => {
  it("tells the exception's own line, what was edited, and what was said before the edit", () => {
    expect(
      fixes(
        ...ran("pytest tests", "tests/test_a.py::test_error PASSED\nE   KeyError: 'tenant'\nFAILED tests/test_b.py"),
        says("The cache key lacks the tenant. Let me change that:"),
        edits("/home/dev/acme/cache.py"),
        says("Now I'll run the tests again."),
        ...ran("pytest tests -x"),
      ),
    ).toEqual([
      "`pytest tests` failed: KeyError: 'tenant'\nMended by editing cache.py: The cache key lacks the tenant.",
    ]);
  });

  it.each(["uv sync", "mise trust", "npm install", "docker compose up -d db", "chmod +x job.py"])(
    "tells the command that mended it: %s",
    (command) => {
      expect(
        fixes(...ran("python job.py", IMPORT), ...ran("cat job.py"), ...ran(command), ...ran("python job.py")),
      ).toEqual([
        `\`python job.py\` failed: ModuleNotFoundError: No module named 'rates'\nMended by running \`${command}\``,
      ]);
    },
  );

  it("tells the option that it went well with", () => {
    expect(fixes(...ran("python job.py", IMPORT), ...ran("RATES=1 python job.py --local"))).toEqual([
      "`python job.py` failed: ModuleNotFoundError: No module named 'rates'\nMended by running it as `RATES=1 python job.py --local`",
    ]);
  });

  it("tells what mended the failure that it had last", () => {
    const lines = [
      ...ran("python job.py", IMPORT),
      ...ran("uv sync"),
      ...ran("python job.py", "Traceback (most recent call last):\nPermissionError: [Errno 13] job.log"),
      ...ran("chmod u+w job.log"),
      ...ran("python job.py"),
    ];
    expect(fixes(...lines)).toEqual([
      "`python job.py` failed: PermissionError: [Errno 13] job.log\nMended by running `chmod u+w job.log`",
    ]);
  });

  it("finds the line behind a long output", () => {
    const long = `${"collected a line of the log that says nothing\n".repeat(200)}ModuleNotFoundError: No module named 'rates'`;
    expect(fixes(...ran("python job.py", long), ...ran("uv sync"), ...ran("python job.py"))).toHaveLength(1);
  });

  it.each([
    ["another script that went well", [...ran("npm run build", IMPORT), ...ran("npm install"), ...ran("npm run test")]],
    [
      "another file whose test went well",
      [...ran("npx vitest run a.test.ts", IMPORT), edits("a.ts"), ...ran("npx vitest run b.test.ts")],
    ],
    ["nothing that was done between", [...ran("python job.py", IMPORT), ...ran("ls"), ...ran("python job.py")]],
    [
      "a linter's finding on code in the making",
      [...ran("npm run lint", "src/a.ts:3:1 error unused variable"), edits("src/a.ts"), ...ran("npm run lint")],
    ],
    [
      "a push that was late",
      [...ran("git push", " ! [rejected] main -> main (fetch first)"), ...ran("git pull --rebase"), ...ran("git push")],
    ],
    [
      "an old failure",
      [
        ...ran("python job.py", IMPORT),
        ...[1, 2, 3].map((nth) => user(`Now write the page number ${nth} of the handbook.`)),
        edits("a.md"),
        ...ran("python job.py"),
      ],
    ],
  ])("is no lesson of %s", (_, lines) => {
    expect(fixes(...lines)).toEqual([]);
  });

  it("keeps no rest of a key whose beginning was cut", () => {
    const key = Array.from({ length: 30 }, (_, nth) => `${nth}`.padStart(2, "0").repeat(32)).join("\n");
    const failed = result(
      "k",
      `${"a line of the log\n".repeat(80)}-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\nError: refused`,
    );
    expect(slimLine(failed)).toContain("Error: refused");
    expect(slimLine(failed)).not.toMatch(/(?:\d\d){32}/);
  });
});
