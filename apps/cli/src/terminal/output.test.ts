import { describe, expect, it } from "vitest";
import { openOutput } from "./output.ts";

// A soft hyphen, fillers, an interlinear annotation, variation selectors, a grapheme joiner, a tag, a bidi mark, a C1 control.
const UNSEEN = "\u00ad\u115f\u3164\uffa0\ufff9\ufffa\ufffb\ufe0f\u{e0100}\u034f\u180e\u{e0041}\u061c\u200b\u009b";

function told(work: (output: ReturnType<typeof openOutput>) => void, isJson = false): string {
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
      isJson,
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

  it.each(["say", "show", "hint", "warn", "usage"] as const)("has nothing that is not drawn: %s", (how) => {
    expect(told((output) => output[how](`a${UNSEEN}b`))).toMatch(/^[a-z-]*:? ?ab\n$/);
  });

  it("has nothing in its document that is not drawn, and a program reads it unchanged", () => {
    const value = { [`key${UNSEEN}`]: `a${UNSEEN}\u2028\n\u001b[2J\u007fb` };
    const printed = told(({ document }) => document(value), true);
    expect(printed).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Default_Ignorable_Code_Point}]/u);
    expect(JSON.parse(printed)).toEqual(value);
  });

  it("tells a problem without what could be done to a terminal by it", () => {
    const problem = { message: "no\u001b]0;title\u0007", hint: "`chest-index status`\u202e" };
    expect(told((output) => output.problem(problem))).toBe("chest-index: no]0;title\nhint: `here status`\n");
  });
});
