import { describe, expect, it } from "vitest";
import { openOutput } from "./output.ts";

// A soft hyphen, fillers, an interlinear annotation, variation selectors, a grapheme joiner, a tag, a bidi mark, a C1 control.
const UNSEEN = "\u00ad\u115f\u3164\uffa0\ufff9\ufffa\ufffb\ufe0f\u{e0100}\u034f\u180e\u{e0041}\u061c\u200b\u009b";

function told(work: (output: ReturnType<typeof openOutput>) => void, isJson = false): string {
  let text = "";
  // The output is a terminal, which would execute control sequences.
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
  it("contains its commands as they can be typed, each once", () => {
    expect(told(({ say }) => say("`chest-index sync` takes it"))).toBe("`here sync` takes it\n");
    expect(told(({ hint }) => hint("`chest-index sync` takes it"))).toBe("hint: `here sync` takes it\n");
  });

  it("shows stored text as it is, in one line, with control characters made harmless", () => {
    const name = "acme  open\nother  open\u0007\u001b[2J\u202e\u2066 \u2028`chest-index sync`";
    expect(told(({ show }) => show(name))).toBe("acme  open other  open[2J `chest-index sync`\n");
  });

  it.each(["say", "hint"] as const)("rings no bell and moves no cursor: %s", (how) => {
    expect(told((output) => output[how]("a\u0007\u001b[2Jb"))).toMatch(/^(hint: )?a\[2Jb\n$/);
  });

  it.each(["say", "show", "hint", "warn", "usage"] as const)("contains no invisible characters: %s", (how) => {
    expect(told((output) => output[how](`a${UNSEEN}b`))).toMatch(/^[a-z-]*:? ?ab\n$/);
  });

  it("contains no invisible characters in its document, and a parser reads it unchanged", () => {
    const value = { [`key${UNSEEN}`]: `a${UNSEEN}\u2028\n\u001b[2J\u007fb` };
    const printed = told(({ document }) => document(value), true);
    expect(printed).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Default_Ignorable_Code_Point}]/u);
    expect(JSON.parse(printed)).toEqual(value);
  });

  it("reports a problem without characters that affect a terminal", () => {
    const problem = { message: "no\u001b]0;title\u0007", hint: "`chest-index status`\u202e" };
    expect(told((output) => output.problem(problem))).toBe("chest-index: no]0;title\nhint: `here status`\n");
  });
});

/** Imitates a terminal or a pipe, and keeps the text written to it. */
function stream(over: { readonly isTTY?: boolean; readonly columns?: number; hasColors?(): boolean } = {}) {
  const written = { text: "" };
  return Object.assign(written, over, {
    write(part: string) {
      written.text += part;
    },
  });
}
const opened = (stdout: ReturnType<typeof stream>, stderr = stream(), over = {}) =>
  openOutput({ isJson: false, isQuiet: false, isVerbose: false, ...over, stdout, stderr });

describe("a line with a colour", () => {
  const shown = (terminal: ReturnType<typeof stream>) => {
    opened(terminal).show("all \u001b[2Jis well", "green");
    return terminal.text;
  };

  it("is coloured on a terminal with colours, and other users' text has no colours of its own", () => {
    expect(shown(stream({ isTTY: true, hasColors: () => true }))).toBe("\u001b[32mall [2Jis well\u001b[39m\n");
  });

  it("is not coloured where colours are missing or switched off", () => {
    expect(shown(stream({ isTTY: true, hasColors: () => false }))).toBe("all [2Jis well\n");
    expect(shown(stream({ hasColors: () => true }))).toBe("all [2Jis well\n");
  });
});

describe("rows", () => {
  const rows = [
    ["1", "acme\nother", "", "a note that goes on for longer than there is room"],
    ["12", "b", "pinned", ""],
  ];

  it("are a table as wide as the terminal", () => {
    const terminal = stream({ isTTY: true, columns: 44 });
    opened(terminal).rows(rows);
    expect(terminal.text.split("\n").slice(0, -1)).toEqual([
      "1   acme other          a note that goes on",
      "                        for longer than",
      "                        there is room",
      "12  b           pinned",
    ]);
  });

  it("are whole lines for a program", () => {
    const pipe = stream();
    opened(pipe).rows(rows);
    expect(pipe.text).toBe("1  acme other  a note that goes on for longer than there is room\n12  b  pinned\n");
  });
});

describe("long work", () => {
  const run = async (stderr: ReturnType<typeof stream>, over = {}) => {
    const stdout = stream();
    const result = await opened(stdout, stderr, over).working("exporting", async (tell) => {
      await new Promise((resolve) => setTimeout(resolve, 120));
      tell("500 records");
      return 7;
    });
    expect([result, stdout.text]).toEqual([7, ""]);
    return stderr.text;
  };

  it("has a line on a terminal, which disappears with it", async () => {
    const text = await run(stream({ isTTY: true, columns: 80 }));
    expect(text.startsWith("\r\u001b[Kexporting … 0 s")).toBe(true);
    expect(text).toContain("exporting, 500 records … 0 s");
    expect(text.endsWith("\r\u001b[K")).toBe(true);
  });

  it("prints nothing elsewhere, or where output is off", async () => {
    expect(await run(stream())).toBe("");
    expect(await run(stream({ isTTY: true }), { isQuiet: true })).toBe("");
    expect(await run(stream({ isTTY: true }), { isJson: true })).toBe("");
  });

  it("removes its line when it fails", async () => {
    const stderr = stream({ isTTY: true });
    const failing = opened(stream(), stderr).working("exporting", () => Promise.reject(new Error("no room")));
    await expect(failing).rejects.toThrow("no room");
    expect(stderr.text.endsWith("\r\u001b[K")).toBe(true);
  });
});
