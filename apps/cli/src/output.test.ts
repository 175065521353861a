import { describe, expect, it } from "vitest";
import { openOutput } from "./output.ts";

function told(work: (output: ReturnType<typeof openOutput>) => void): string {
  let text = "";
  // A terminal, which would do whatever it is told.
  const stream = {
    isTTY: true,
    write(part: string) {
      text += part;
    },
  };
  work(
    openOutput({
      isJson: false,
      isQuiet: false,
      isVerbose: false,
      name: { program: "here" },
      stdout: stream,
      stderr: stream,
    }),
  );
  return text;
}

describe("what a command prints", () => {
  it("has its commands as they can be typed, each once", () => {
    expect(told(({ say }) => say("`chest-index sync` takes it"))).toBe("`here sync` takes it\n");
    expect(told(({ hint }) => hint("`chest-index sync` takes it"))).toBe("hint: `here sync` takes it\n");
  });

  it("shows what is stored as it is, in one line, whatever it would do to a terminal", () => {
    const name = "acme  open\nother  open\u0007\u001b[2J\u202e\u2066 \u2028`chest-index sync`";
    expect(told(({ show }) => show(name))).toBe("acme  open other  open[2J `chest-index sync`\n");
  });

  it.each(["say", "hint"] as const)("rings no bell and moves no cursor: %s", (how) => {
    expect(told((output) => output[how]("a\u0007\u001b[2Jb"))).toMatch(/^(hint: )?a\[2Jb\n$/);
  });

  it("tells a problem without what could be done to a terminal by it", () => {
    const problem = { message: "no\u001b]0;title\u0007", hint: "`chest-index status`\u202e" };
    expect(told((output) => output.problem(problem))).toBe("chest-index: no]0;title\nhint: `here status`\n");
  });
});
