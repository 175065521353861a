import type { ChestError } from "@chest/contracts";
import { describe, expect, it } from "vitest";
import { isTriggered, readCondition, sceneOf } from "./condition.ts";
import type { Situation } from "./situation.ts";

const NOON = new Date(2026, 11, 24, 12, 30); // A Thursday, by this machine's clock.
const at = (over: Partial<Situation> & { readonly says?: string } = {}): Situation => ({
  messages: [{ role: "user", content: over.says ?? "" }],
  now: NOON,
  ...over,
});
const RENAMED = at({ project: "host/new/a", projectAliases: ["host/old/a"] });
const holds = (condition: string | object, situation: Situation): boolean =>
  isTriggered(readCondition(typeof condition === "string" ? condition : JSON.stringify(condition)), sceneOf(situation));

describe("a condition", () => {
  it.each<[string, string | object, Situation, Situation]>([
    ["a word", { any: ["deploy"] }, at({ says: "Deploy it!" }), at({ says: "the deployment" })],
    ["a phrase", { any: ["go live"] }, at({ says: "we go live today" }), at({ says: "cargo lives" })],
    ["a word with a sign", { any: ["c++"] }, at({ says: "in C++ then" }), at({ says: "in c then" })],
    ["Chinese", { any: ["数据库"] }, at({ says: "修复了数据库崩溃" }), at({ says: "数据" })],
    ["Japanese", { any: ["圧力鍋"] }, at({ says: "圧力鍋の蓋" }), at({ says: "鍋の蓋" })],
    ["Korean", { any: ["무릎"] }, at({ says: "무릎이 아파요" }), at({ says: "발이 아파요" })],
    ["all words, of several messages", { all: ["a", "b"] }, at({ messages: two("a", "b") }), at({ says: "a" })],
    ["no word", { none: ["stop"], any: ["go"] }, at({ says: "go" }), at({ says: "go, stop" })],
    ["a role", { any: ["x"], scope: "assistant" }, at({ messages: two("y", "x") }), at({ messages: two("x", "y") })],
    ["a depth", { any: ["x"], depth: 1 }, at({ messages: two("y", "x") }), at({ messages: two("x", "y") })],
    ["a date", { dates: [{ month: 12, day: 24 }] }, at(), at({ now: new Date(2026, 11, 25) })],
    ["a weekday", { weekdays: ["thu"] }, at(), at({ now: new Date(2026, 11, 25) })],
    ["an hour", { hours: [12] }, at(), at({ now: new Date(2026, 11, 24, 13) })],
    ["a time after", { after: "2026-12-01" }, at(), at({ now: new Date(2026, 10, 1) })],
    ["a time before", { before: "2027-01-01" }, at(), at({ now: new Date(2027, 5, 1) })],
    ["a file", { files: ["src/**/*.sql"] }, at({ files: ["src/a/b.sql"] }), at({ files: ["src/a/b.ts"] })],
    ["a file anywhere", { files: ["*.sql"] }, at({ files: ["a/b.sql"] }), at({ files: ["a.sql/b"] })],
    ["a project", { projects: ["host/org/a"] }, at({ project: "host/org/a" }), at({ project: "host/org/b" })],
    ["a conversation", { conversations: ["c-1"] }, at({ conversationId: "c-1" }), at()],
    ["a key", "match_keys(['deploy'])", at({ says: "deploy" }), at({ says: "wait" })],
    [
      "a date or a key",
      "match_keys(context.messages, ['christmas'], 'any') || (new Date().getMonth() === 11 && new Date().getDate() === 24)",
      at(),
      at({ now: new Date(2026, 5, 1) }),
    ],
    [
      "all keys by the user",
      "match_keys_all(['a', 'b'], 'user', 4)",
      at({ says: "b a" }),
      at({ messages: two("a", "b") }),
    ],
    ["a number of matches", "match_keys(['a', 'b']) >= 2", at({ says: "a b" }), at({ says: "a a" })],
    [
      "one of fifty in a chain",
      Array.from({ length: 50 }, (_, nth) => `match_keys('k${nth}')`).join(" || "),
      at({ says: "k49" }),
      at({ says: "k50" }),
    ],
    ["not", "!match_keys('a') && true", at({ says: "b" }), at({ says: "a" })],
    [
      "a negative number",
      "new Date().getDay() > -1 && new Date().getHours() < 13",
      at(),
      at({ now: new Date(2026, 0, 1, 14) }),
    ],
    ["this conversation", "context.conversation_id == 'c-1'", at({ conversationId: "c-1" }), at()],
    ["who speaks", "context.participants.user === 'Ann'", at({ participants: { user: "Ann" } }), at()],
    ["the project", "context.project != 'host/org/a'", at(), at({ project: "host/org/a" })],
    ["a renamed project", "context.project == 'host/old/a'", RENAMED, at({ project: "host/new/a" })],
    ["a renamed project by its new key", "'host/new/a' === context.project", RENAMED, at({ project: "host/old/b" })],
    ["other than a renamed project", "context.project != 'host/old/a'", at({ project: "host/new/b" }), RENAMED],
    ["any project", "context.project && true", RENAMED, at()],
  ])("of %s holds where it should and not elsewhere", (_, condition, where, elsewhere) => {
    expect([holds(condition, where), holds(condition, elsewhere)]).toEqual([true, false]);
  });

  it.each([
    ["'abc'", "always true"],
    ["1", "always true"],
    ["0", "always false"],
    ["true || match_keys(['a'])", "always true"],
    ["match_keys(['a']) && false", "always false"],
    ["1 < 2", "always true"],
    ["!('x' == 'y')", "always true"],
    ["match_keys(['a']) >= 0", "always true"],
    ["new Date().getHours() < 24", "always true"],
    ["new Date().getMonth() == 12", "always false"],
  ])("refuses the constant condition %s", (input, why) => {
    expect(() => readCondition(input)).toThrow(why);
    expect(isTriggered(JSON.stringify(input), sceneOf({ messages: [], now: new Date() }))).toBe(false);
  });

  it.each([
    ["match_keys(['a']) || !match_keys(['a'])", "always true"],
    ["!match_keys(['倉庫', 'a']) || match_keys(['a']) || match_keys(['倉庫'])", "always true"],
    ["match_keys_all(['a', 'b']) && !match_keys(['b'])", "always false"],
    ['{"any":["deploy"],"none":["deploy"]}', "always false"],
    ['{"all":["a","b"],"none":["b"]}', "always false"],
  ])("refuses a condition whose keys cannot decide it: %s", (input, why) => {
    expect(() => readCondition(input)).toThrow(why);
  });

  it.each([
    "match_keys(['a']) && !match_keys(['b'])",
    "match_keys(['a'], 'user') || !match_keys(['a'], 'assistant')",
    "match_keys(['a']) > 1 && match_keys(['a']) < 3",
    "context.project || !match_keys(['a'])",
    '{"any":["a","b"],"none":["b"]}',
    '{"none":["a"]}',
    `match_keys([${Array.from({ length: 40 }, (_, at) => `'k${at}'`)}])`,
  ])("takes %s, which what is said decides", (input) => {
    expect(readCondition(input)).toBe(JSON.stringify(input.startsWith("{") ? JSON.parse(input) : input));
  });

  it.each([
    '{"hours":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]}',
    '{"weekdays":["sun","mon","tue","wed","thu","fri","sat"]}',
  ])("refuses a list that names everything: %s", (input) => {
    expect(() => readCondition(input)).toThrow("names nothing that could hold");
  });

  it.each([
    "match_keys(['a']) > 0",
    "match_keys(['a']) == 0",
    "new Date().getHours() < 9",
    "true && match_keys(['a'])",
    "context.project == 'x'",
  ])("takes %s, which the moment decides", (input) => {
    expect(readCondition(input)).toBe(JSON.stringify(input));
  });

  it("that was brought in and cannot be read never holds", () => {
    for (const stored of ["process.exit()", '"process.exit()"', "{}", "[]", "null", ""])
      expect(isTriggered(stored, sceneOf(at({ says: "process" })))).toBe(false);
  });
});

function two(user: string, assistant: string): Situation["messages"] {
  return [
    { role: "user", content: user },
    { role: "assistant", content: assistant },
  ];
}

/** Text, and the character at which it is refused. */
const EXPRESSIONS: readonly (readonly [string, number])[] = [
  ["process.exit(1)", 1],
  ["require('fs')", 1],
  ["import('fs')", 1],
  ["eval('1')", 1],
  ["Function('return 1')()", 1],
  ["new Function('return process')()", 1],
  ["Date.constructor('return process')()", 1],
  ["new Date().constructor.constructor('return process')()", 1],
  ["new Date().getMonth.constructor('return 1')()", 1],
  ["new Date(0).getMonth()", 1],
  ["new Date().setMonth(1)", 1],
  ["new Date().toString()", 1],
  ["new Date()['getMonth']()", 1],
  ["new Date().getMonth(1)", 1],
  ["new Date()", 1],
  ["new Date", 9],
  ["new Map().get(1)", 1],
  ["new context.Date().getMonth()", 1],
  ["Date.now() > 1", 1],
  ["Math.random() < 1", 1],
  ["this", 1],
  ["this.constructor", 1],
  ["globalThis.process", 1],
  ["constructor", 1],
  ["__proto__", 1],
  ["context", 1],
  ["context.constructor", 1],
  ["context.__proto__", 1],
  ["context.participants", 1],
  ["context.participants.__proto__", 1],
  ["context.participants.constructor", 1],
  ["context.participants.constructor.constructor('1')()", 1],
  ["context['conversation_id']", 1],
  ["context?.conversation_id", 1],
  ["context.messages[0].content", 1],
  ["context.messages.map(1)", 1],
  ["context.conversation_id.length > 1", 1],
  ["'a'.constructor", 1],
  ["'a'.repeat(1000000000)", 1],
  ["[].constructor", 1],
  ["[1, 2]", 1],
  ["(1, 2)", 1],
  ["1; 2", 1],
  ["1 2", 1],
  ["while(true){}", 12],
  ["for(;;){}", 5],
  ["() => 1", 4],
  ["function(){}", 11],
  ["x = 1", 3],
  ["a++", 4],
  ["`process`", 1],
  ["/(a+)+$/.test('aaaa')", 1],
  ["match_keys(/(a+)+$/)", 12],
  ["true ? 1 : 2", 1],
  ["1 + 1", 1],
  ["2 ** 9", 1],
  ["1 << 31", 1],
  ["1 & 1", 1],
  ["1 in 2", 1],
  ["~1", 1],
  ["typeof 1", 1],
  ["void 0", 1],
  ["delete context.messages", 1],
  ["null", 1],
  ["undefined", 1],
  ["match_keys", 1],
  ["match_keys()", 1],
  ["match_keys([])", 12],
  ["match_keys([''])", 13],
  ["match_keys([1])", 13],
  ["match_keys([['a']])", 13],
  ["match_keys(['a', process])", 18],
  ["match_keys(['a'], 'robot')", 19],
  ["match_keys(['a'], 'any', 0)", 26],
  ["match_keys(['a'], 'any', 1.5)", 26],
  ["match_keys(['a'], 'any', 4, 1)", 29],
  ["match_keys(globalThis, ['a'])", 12],
  ["match_keys.call(null, ['a'])", 1],
  ["match_keys.constructor('1')()", 1],
  ["match_keys(match_keys(['a']))", 12],
  ["matchKeys(['a'])", 1],
  ["true && process", 9],
  ["true && (match_keys(['a']) || x)", 31],
  ["'unclosed", 10],
  ["match_keys(['a']", 17],
  ["&& true", 1],
  ["!", 2],
];

describe("an expression that is more than a condition", () => {
  it("has a table of at least sixty", () => {
    expect(EXPRESSIONS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(EXPRESSIONS)("is refused with its place: %s", (expression, place) => {
    const refused = refusal(expression);
    expect(refused?.code).toBe("VALIDATION_ERROR");
    expect(refused?.details).toMatchObject({ at: place });
    expect(refused?.message).toMatch(/^trigger: .* \(at character \d+\)$/);
  });

  it.each([
    ["ten thousand parts", Array.from({ length: 10_000 }, () => "1<2").join("&&")],
    ["four hundred parts", Array.from({ length: 390 }, () => "1<2").join("&&")],
    ["brackets without end", "(".repeat(1900)],
    ["nots without end", `${"!".repeat(1900)}1`],
    ["calls in calls", `${"match_keys(".repeat(180)}'a'${")".repeat(180)}`],
    ["members without end", `context${".a".repeat(900)}`],
    ["a key of 101 characters", `match_keys('${"x".repeat(101)}')`],
    ["51 keys", `match_keys([${Array.from({ length: 51 }, (_, nth) => `'k${nth}'`).join(",")}])`],
    ["5,000 characters", `'${"x".repeat(5000)}'`],
    ["a secret", `match_keys('${["gh", "p_", "aB3".repeat(12)].join("")}')`],
    ["nothing", "  "],
  ])("is refused with %s, and nothing waits for it", (_, expression) => {
    expect(refusal(expression)).toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

describe("a condition in JSON", () => {
  it.each([
    ["an empty one", {}, "trigger"],
    ["an unknown criterion", { script: "process.exit()" }, "trigger.script"],
    ["a prototype", JSON.parse('{"any": ["a"], "__proto__": {"x": 1}}'), "trigger.__proto__"],
    ["a word that is none", { any: [" "] }, "trigger.any.0"],
    ["words that are no list", { any: "deploy" }, "trigger.any"],
    ["a depth of none", { any: ["a"], depth: 0 }, "trigger.depth"],
    ["a 13th month", { dates: [{ month: 13, day: 1 }] }, "trigger.dates.0.month"],
    ["a 25th hour", { hours: [24] }, "trigger.hours.0"],
    ["a time that is none", { after: "soon" }, "trigger.after"],
    ["an unknown weekday", { weekdays: ["someday"] }, "trigger.weekdays.0"],
    ["more words than there may be", { any: Array.from({ length: 51 }, () => "a") }, "trigger.any"],
  ])("is refused by its field: %s", (_, condition, path) => {
    expect(refusal(JSON.stringify(condition))?.message).toContain(path);
  });

  it("is refused where it cannot be read", () => {
    for (const text of ["{", '{"any": [', '{"a": {"b": {"c": {"d": {}}}}}']) expect(refusal(text)).toBeDefined();
  });
});

function refusal(input: string): ChestError | undefined {
  try {
    readCondition(input);
    return undefined;
  } catch (error) {
    return error as ChestError;
  }
}
