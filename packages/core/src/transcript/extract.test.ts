import { transcriptOf } from "@chest/testing";
import { describe, expect, it } from "vitest";
import type { Candidate } from "./candidate.ts";
import { type Carry, readCarry } from "./carry.ts";
import { Extraction } from "./extract.ts";
import { slimLine } from "./slim.ts";

const SECRET = ["ghp", "a".repeat(36)].join("_");

function read(lines: readonly string[], extraction = new Extraction()) {
  const found = [...lines.map((line) => extraction.take(line)), extraction.end()];
  return {
    candidates: found.flatMap(({ candidates }) => candidates),
    touches: found.flatMap(({ touches }) => touches),
    ...extraction.tally,
    extraction,
  };
}
const texts = (lines: readonly string[], rule?: string) =>
  read(lines)
    .candidates.filter((each) => rule === undefined || each.rule === rule)
    .map(({ text }) => text);
const said = (...sentences: readonly string[]) => {
  const { user } = transcriptOf("s");
  return sentences.map((sentence) => user(sentence));
};

/** Leaves out candidates that only the end of a session yields. */
const withoutEnd = (candidates: readonly Candidate[]) =>
  candidates.filter(({ rule }) => rule !== "session_summary" && rule !== "episode");

/** A session as it goes: a request, an edit, a failing test, its mending, a nod. */
function aSession(): string[] {
  const { user, says, edits, runs, result } = transcriptOf("6d1f2f6e");
  return [
    user("Make the login tokens expire after fifteen minutes, please."),
    says("The lifetime is in seconds, but the check compares milliseconds. I will convert it there."),
    edits("/home/dev/acme/src/auth/token.ts", "const ttl = 900"),
    runs("npm test", "t1"),
    result("t1", "FAIL src/auth/token.test.ts\nTypeError: ttl.toSeconds is not a function\n    at token.ts:3:1"),
    says("`toSeconds` is of the old library. A plain number is enough."),
    edits("/home/dev/acme/src/auth/token.ts", "ttl"),
    runs("npm test -- --run", "t2"),
    result("t2"),
    user("ok, thanks!"),
    user("Never commit the generated client to the repository, it is made at install time."),
    user("Let's use Redis for the session store instead of Postgres."),
  ];
}

describe("what is found in a transcript", () => {
  it("is the intent, the edits with their reason, the fix, the rule and the decision", () => {
    const { candidates, touches, dropped } = read(aSession());
    expect(candidates.map(({ rule, text }) => [rule, text])).toEqual([
      ["first_intent", "Make the login tokens expire after fifteen minutes, please."],
      [
        "file_edit",
        "src/auth/token.ts: The lifetime is in seconds, but the check compares milliseconds. I will convert it there.\nAsked for: Make the login tokens expire after fifteen minutes, please.",
      ],
      [
        "fix",
        "`npm test` failed: TypeError: ttl.toSeconds is not a function\nMended by editing src/auth/token.ts: `toSeconds` is of the old library. A plain number is enough.",
      ],
      ["realize", "Never commit the generated client to the repository, it is made at install time."],
      ["decision", "Let's use Redis for the session store instead of Postgres."],
      [
        "session_summary",
        [
          "A session began with: Make the login tokens expire after fifteen minutes, please.",
          "It edited src/auth/token.ts",
          "It learned: Never commit the generated client to the repository, it is made at install time. | Let's use Redis for the session store instead of Postgres.",
          "It completed: `npm test` mended | Worked on src/auth/token.ts: tests failed, then passed",
        ].join("\n"),
      ],
      [
        "episode",
        "Worked on src/auth/token.ts: tests failed, then passed\nEdited src/auth/token.ts (2)\n`npm test` failed, then passed",
      ],
    ]);
    expect(touches.map(({ operation, path, intent }) => [operation, path, intent])).toEqual([
      ["edit", "/home/dev/acme/src/auth/token.ts", "Make the login tokens expire after fifteen minutes, please."],
      ["edit", "/home/dev/acme/src/auth/token.ts", "Make the login tokens expire after fifteen minutes, please."],
    ]);
    expect(dropped).toEqual({ acknowledgement: 1, repeated: 2 });
  });

  it("is the same whether the lines come at once, one by one with the carry between, or slimmed", () => {
    const lines = aSession();
    const whole = withoutEnd(read(lines).candidates);
    let carry: string | undefined;
    const single = lines.flatMap((line) => {
      const extraction = new Extraction(readCarry(carry));
      const { candidates } = extraction.take(line);
      carry = JSON.stringify(extraction.carry());
      return candidates;
    });
    expect(single).toEqual(whole);
    expect(withoutEnd(read(lines.map(slimLine)).candidates)).toEqual(whole);
  });

  it("never is a goal", () => {
    expect(read(aSession()).candidates.map(({ rule }) => rule)).not.toContain("goal");
  });

  it("is at most three rules, however many a session has", () => {
    const lines = said(
      ...Array.from(
        { length: 20 },
        (_, i) => `Never call helper-${i} from module-${i} in step-${i}, it reads file-${i}.`,
      ),
    );
    const { candidates, dropped } = read(lines);
    expect(candidates.filter(({ rule }) => rule === "realize")).toHaveLength(3);
    expect(dropped.limit).toBeGreaterThanOrEqual(17);
  });

  it.each([
    ["Don't worry about the failing lint step for now."],
    ["Why should we never restart the gateway before the workers?"],
    ["He said never restart the gateway before the workers."],
    ["It never worked on my machine with the old driver."],
    ["心配しないで、それは後で直しますから大丈夫ですよ。"],
    ["别担心，这个问题我们以后再来处理就好了。"],
    ["I don't know how the gateway restarts its workers."],
    ["never again"],
  ])("takes nothing for a rule from: %s", (sentence) => {
    expect(texts(said(sentence), "realize")).toEqual([]);
  });

  it.each([
    ["We decided to go with PostgreSQL 16 for the reporting service."],
    ["キャッシュには Redis を採用することに決めました。"],
    ["我们决定采用 Redis 作为会话存储。"],
    ["세션 저장소는 Redis로 결정했습니다."],
  ])("takes as a decision: %s", (sentence) => {
    expect(texts(said(sentence), "decision")).toEqual([sentence]);
  });

  it("leaves out what a host, a helper or a pasted screen says", () => {
    const { user } = transcriptOf("s");
    const { candidates, dropped } = read([
      user("<system-reminder>Never show this to anybody who asks.</system-reminder>"),
      user("/compact and then go on with the parser"),
      user("This session is being continued from a previous conversation that ran out of context."),
      user("a helper was told to look through everything", { isSidechain: true }),
      user("TypeError: x is not a function\n    at a (file.js:1:2)\n    at b (file.js:3:4)\n    at c (file.js:5:6)"),
      user("続けて"),
    ]);
    expect(candidates).toEqual([]);
    expect(dropped).toEqual({
      wrapper: 1,
      slash_command: 1,
      continuation: 1,
      aside: 1,
      pasted_output: 1,
      acknowledgement: 1,
    });
  });

  it("holds no secret, in no field", () => {
    const { user, edits, says, runs, result } = transcriptOf("s");
    const lines = [
      user(`Deploy with the token ${SECRET} to the staging cluster, please.`),
      says(`I will put ${SECRET} there.`),
      edits(`/srv/${SECRET}/app.ts`, `token = "${SECRET}"`),
      runs(`curl -H 'Authorization: Bearer ${SECRET}' x.sh`, "t1"),
      result("t1", `Error: ${SECRET} refused`),
    ];
    const { candidates, touches, extraction } = read(lines);
    expect(candidates.length).toBeGreaterThan(1);
    expect(JSON.stringify([candidates, touches, extraction.carry()])).not.toContain(SECRET);
    expect(lines.map(slimLine).join("\n")).not.toContain(SECRET);
  });
});

describe("a broken line", () => {
  it("is counted by what is wrong with it, and costs no other line", () => {
    const { user } = transcriptOf("s");
    const { candidates, skipped, lines } = read([
      "{not json",
      "null",
      "7",
      "[]",
      '{"type":"no-such-type"}',
      '{"type":"summary","summary":"x"}',
      JSON.stringify({ type: "user", message: null }),
      `"${"x".repeat(5 * 1024 * 1024)}"`,
      `{"type":"user","message":{"content":${"[".repeat(300)}"[["${"]".repeat(300)}}}`,
      user("The import has to survive every line above this one."),
    ]);
    expect(lines).toBe(10);
    expect(skipped).toEqual({ not_json: 1, not_an_object: 3, unknown_type: 1, too_deep: 1, too_long: 1 });
    expect(candidates.map(({ rule }) => rule)).toEqual(["first_intent"]);
  });

  it("with a bad time has the time of the line before it", () => {
    const { user } = transcriptOf("s");
    const { candidates } = read([
      user("The first thing that was asked for here.", { timestamp: "2026-11-20T08:00:00Z" }),
      user("Something further that wants to be made clear, at no time at all.", { timestamp: "yesterday" }),
      user("And another thing that wants to be made clear, at year nought.", { timestamp: 0 }),
    ]);
    expect(candidates.map(({ at }) => at.toISOString())).toEqual(Array(3).fill("2026-11-20T08:00:00.000Z"));
  });
});

it("keeps nothing that grows with a session", () => {
  const { user, edits, runs } = transcriptOf("s");
  const extraction = new Extraction();
  for (let i = 0; i < 3000; i++) {
    extraction.take(user(`Do the next thing, which is number ${i} of very many things. ${"x".repeat(500)}`));
    extraction.take(edits(`/home/dev/acme/src/file-${i}.ts`));
    extraction.take(runs(`make target-${i}`, `t${i}`));
  }
  expect(JSON.stringify(extraction.carry()).length).toBeLessThan(64_000);
});

it("takes names that every object has for what they are: a tool, a use, a file", () => {
  const { user, says, edits, runs, result } = transcriptOf("named");
  const tool = JSON.stringify({
    type: "assistant",
    uuid: "x",
    sessionId: "named",
    timestamp: "2026-11-21T10:00:00Z",
    message: { content: [{ type: "tool_use", id: "constructor", name: "toString", input: { file_path: "a.ts" } }] },
  });
  const lines = [
    user("Make the login tokens expire after fifteen minutes, please."),
    tool,
    result("constructor", "TypeError: no"),
    result("toString"),
    runs("npm test", "valueOf"),
    result("valueOf", "TypeError: ttl is not a function"),
    says("The plain number is enough."),
    edits("constructor"),
    edits("constructor"),
    edits("__proto__"),
    runs("npm test", "hasOwnProperty"),
    result("hasOwnProperty"),
  ];
  const { touches, candidates, extraction } = read(lines);
  expect(touches.map(({ path }) => path)).toEqual(["constructor", "constructor", "__proto__"]);
  expect(extraction.carry().files).toEqual({ constructor: 2 });
  expect(candidates.filter(({ rule }) => rule === "fix").map(({ text }) => text)).toEqual([
    expect.stringContaining("Mended by editing constructor"),
  ]);
});

it("names a command by its first line that says something", () => {
  const { user, edits, runs, result } = transcriptOf("named");
  const lines = [
    user("Make the login tokens expire after fifteen minutes, please."),
    runs("\n\nnpm test\nnpm run build", "t1"),
    result("t1", "TypeError: ttl is not a function"),
    edits("/home/dev/acme/src/token.ts"),
    runs("npm test && npm run build", "t2"),
    result("t2"),
  ];
  expect(texts(lines, "failure")).toEqual([expect.stringMatching(/^`npm test` failed: TypeError/)]);
});

describe("what is cut", () => {
  const { user, runs, result } = transcriptOf("cut");
  const before = (length: number) => `TypeError: ${"no use. ".repeat(3000)}`.slice(0, length).replace(/.$/, " ");

  it.each([10, 20, 39])("keeps no half of a secret of which %d characters stand before the cut", (within) => {
    const failed = result("t1", `${before(2000 - within)}${SECRET} is refused`);
    const asked = user(`${before(20_000 - within)}${SECRET} is refused`);
    const run = runs(`${"deploy the heron ".repeat(50).slice(0, 499 - within)} ${SECRET}`, "t2");
    const lines = [failed, asked, run].map(slimLine);
    for (const line of lines) {
      expect(line.length).toBeGreaterThan(400);
      expect(line).not.toContain("ghp");
    }
  });

  it("keeps what is written without blanks", () => {
    const [line = ""] = [user("鷺".repeat(20_001))].map(slimLine);
    expect(line).toContain("鷺".repeat(20_000));
  });
});

describe("what an agent says before it edits", () => {
  const edited = (...sentences: readonly string[]) => {
    const { user, says, edits } = transcriptOf("s");
    const asked = user("Let the report stream its rows instead of holding them, please.");
    return texts([asked, ...sentences.map((each) => says(each)), edits("/home/dev/acme/src/report.ts")], "file_edit");
  };
  const ASKED = "Asked for: Let the report stream its rows instead of holding them, please.";

  it.each(["Sure, thanks!", "Got it.", "Of course! Will do.", "You’re welcome!", "承知しました。", "```ts\ncode\n```"])(
    "is no reason where it is a nod: %s",
    (nod) => {
      expect(edited(nod)).toEqual([`src/report.ts: edited\n${ASKED}`]);
      const reason = "The rows are written as they come.";
      expect(edited(reason, nod)).toEqual([`src/report.ts: ${reason}\n${ASKED}`]);
      expect(edited(`${reason}\n\n${nod}`)).toEqual([`src/report.ts: ${reason}\n${ASKED}`]);
    },
  );

  it("is no reason of what was mended either", () => {
    const { says, edits, runs, result } = transcriptOf("s");
    const lines = [
      runs("npm test", "t1"),
      result("t1", "TypeError: rows.next is not a function"),
      says("Sure, thanks!"),
      edits("/home/dev/acme/src/stream.ts"),
      runs("npm test", "t2"),
      result("t2"),
    ];
    expect(texts(lines, "fix")).toEqual([]);
    expect(texts(lines, "failure")).toEqual([
      "`npm test` failed: TypeError: rows.next is not a function\nThen the agent edited src/stream.ts. It went well again",
    ]);
  });
});

it("Session summary: request, files, learned, completed and next steps, by rules, in one row that is replaced", () => {
  const { user, says, edits, runs, result } = transcriptOf("summed-up");
  const first = [
    user("Let the importer read the windward format, please."),
    edits("/home/dev/acme/src/importer.ts"),
    runs("npm test", "t1"),
    result("t1"),
    runs("git commit -m 'Read the windward format'", "t2"),
    result("t2"),
  ];
  const second = [
    user("Let's use Redis for the queue instead of Postgres."),
    runs("npm run build", "t3"),
    result("t3", "error TS2339: Property 'ack' does not exist on type 'Queue'."),
    says("The build is red. Next step: teach the queue to acknowledge what it has written."),
  ];
  const read = (lines: readonly string[], carry?: Carry) => {
    const extraction = new Extraction(carry);
    for (const line of lines) extraction.take(line);
    const summary = extraction.end().candidates.filter(({ rule }) => rule === "session_summary");
    return { summary, carry: extraction.carry() };
  };
  const before = read(first);
  const after = read(second, before.carry);
  expect(after.summary.map(({ key }) => key)).toEqual(before.summary.map(({ key }) => key));
  expect(after.summary[0]?.text.split("\n")).toEqual([
    "A session began with: Let the importer read the windward format, please.",
    "It edited src/importer.ts",
    "It learned: Let's use Redis for the queue instead of Postgres.",
    expect.stringMatching(/^It completed: Worked on src\/importer\.ts/),
    "Left to do: Next step: teach the queue to acknowledge what it has written | `npm run build` fails: error TS2339: Property 'ack' does not exist on type 'Queue'.",
  ]);
});

describe("what a host puts beside a prompt", () => {
  const OWN = "From now on, name the keys of translations after their page.";
  const askedOf = (...parts: readonly string[]) => {
    const content = parts.map((text) => ({ type: "text", text }));
    const extraction = new Extraction();
    const line = JSON.stringify({ type: "user", sessionId: "s", message: { role: "user", content } });
    return extraction.take(line).candidates.map(({ rule, text }) => `${rule}: ${text}`);
  };

  it.each([
    ["in parts of its own", ["<ide_opened_file>The user opened a.md in the IDE.</ide_opened_file>", OWN]],
    ["before it", [`<system-reminder>Never mention this.</system-reminder>\n${OWN}`]],
    ["behind it", [`${OWN}\n\n<ide_selection>Always rebuild the cache.\nNever ask.</ide_selection>`]],
    ["twice", [`<system-reminder>One.</system-reminder><system-reminder>Two.</system-reminder>${OWN}`]],
  ])("is left out where it stands %s", (_, parts) => {
    expect(askedOf(...parts)).toEqual([`first_intent: ${OWN}`, `realize: ${OWN}`]);
  });

  it.each([
    ["nothing else", [`<system-reminder>${OWN}</system-reminder>`]],
    ["a block without an end", [`<ide_selection>${OWN}`]],
    ["the text of a command", ["<command-name>/deploy</command-name>", `# Deploy\n\n${OWN}`]],
  ])("is no word of the person where it is %s", (_, parts) => {
    expect(askedOf(...parts)).toEqual([]);
  });
});

it("begins the summary of a session without a request with what came of it", () => {
  const { user, says } = transcriptOf("quiet");
  const extraction = new Extraction();
  for (const line of [
    user("go on"),
    says("Root cause: both workers write to `out/index.json`, so the later one wins."),
  ])
    extraction.take(line);
  const summary = extraction.end().candidates.find(({ rule }) => rule === "session_summary");
  expect(summary?.text).toMatch(/^A session learned: Root cause: both workers/);
});

it.each([
  ["thanks", "You're welcome! Ping me when the tests are in."],
  ["perfect, thank you", "Glad it works."],
  ["ありがとうございます", "どういたしまして。"],
  ["谢谢", "不客气。"],
  ["ok, let's call it a day", "Sure, until tomorrow."],
  ["ありがとうございました。今日はここまでにします", "お疲れさまでした。"],
  ["今天先到这里吧", "好，明天见。"],
  ["오늘은 여기까지 할게요", "수고하셨습니다."],
  ["great, commit and push", "Committed as 4be01aa and pushed to origin."],
  ["コミットしてください", "コミットしました。"],
  ["who wrote the windward format, by the way?", "The harbour office did, in 2019."],
])("keeps what is left to do when the last turn says %s", (thanks, reply) => {
  const { user, says } = transcriptOf("thanked");
  const extraction = new Extraction();
  const left = () => extraction.carry().next;
  const work = [
    user("Let the importer read the windward format, please."),
    says("It reads.\n\nNext steps:\n- Run it\n- Ship it"),
  ];
  for (const line of [...work, user(thanks), says(reply)]) extraction.take(line);
  expect(left()).toBe("Run it\nShip it");
  for (const line of [user("Now rename the reader to WindwardReader."), says("Renamed.")]) extraction.take(line);
  expect(left()).toBe(undefined);
});

it("drops the step that an order to commit has done, and every step that a request works on", () => {
  const { user, says, edits } = transcriptOf("committed");
  const extraction = new Extraction();
  const left = (...lines: readonly string[]) => {
    for (const line of lines) extraction.take(line);
    return extraction.carry().next;
  };
  const offer = says("It reads.\n\nNext steps:\n- Commit and push it\n- Run it over May");
  expect(left(user("Let the importer read the windward format, please."), offer)).toBe(
    "Commit and push it\nRun it over May",
  );
  expect(left(user("commit it"), says("Committed as 4be01aa."))).toBe("Run it over May");
  expect(left(user("could you run it over May?"), edits("/home/dev/acme/may.ts"), says("It ran."))).toBe(undefined);
});
