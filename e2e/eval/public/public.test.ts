import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { measure } from "../measures.ts";
import { publicSets } from "./index.ts";

// Invented files, each in the form in which its collection is published.
const SQUAD = {
  version: "1.1",
  data: [
    {
      title: "灯台",
      paragraphs: [
        {
          context: "灯台 [SEP] 灯台は港の入口に立ち、霧の日には鐘を鳴らす。",
          qas: [{ id: "q1", question: "霧の日には何を鳴らしますか", answers: [{ text: "鐘", answer_start: 20 }] }],
        },
        {
          context: "灯台 [SEP] 灯台守は毎朝レンズを磨く。",
          qas: [
            { id: "q2", question: "灯台守は毎朝何を磨きますか", answers: [{ text: "レンズ", answer_start: 12 }] },
            { id: "q3", question: "灯台守の給料はいくらですか", is_impossible: true, answers: [] },
          ],
        },
      ],
    },
  ],
};
const CODES = {
  "def parse_port(text):\n    return int(text.split(':')[1])": 3,
  "def mean(numbers):\n    return sum(numbers) / len(numbers)": 4,
};
const ASKED = [
  { idx: "cosqa-test-0", doc: "python mean of numbers", code: "…", docstring_tokens: "", label: 1, retrieval_idx: 4 },
];
const ABSTRACTS = `.I 1
.T
flutter of thin panels
.A
doe,j.
.B
j. inv. 1, 1950.
.W
flutter of thin panels is measured in a wind tunnel at low speed .
.I 2
.T
heat of blunt bodies
.A
.B
.W
heat at the nose of blunt bodies is computed,
and compared with flutter .
.I 3
.T
empty
.A
.B
.W
`;
const QUERIES = `.I 001
.W
how is flutter of panels measured .
.I 004
.W
what heats the nose of blunt bodies .
`;
const JUDGED = "1 1 2\n1 2 4\n1 3 1\n2 2 1\n2 1 -1\n";
const LOCOMO = [
  {
    sample_id: "conv-1",
    conversation: {
      speaker_a: "Ina",
      speaker_b: "Tom",
      session_2_date_time: "2:00 pm on 9 May, 2023",
      session_2: [{ speaker: "Tom", dia_id: "D2:1", text: "My kiln broke on Sunday." }],
      session_1_date_time: "1:00 pm on 8 May, 2023",
      session_1: [
        { speaker: "Ina", dia_id: "D1:1", text: "I adopted a grey parrot.", blip_caption: "a parrot on a sofa" },
        { speaker: "Tom", dia_id: "D1:2", text: "How lovely! I bought a kiln." },
      ],
    },
    qa: [
      { question: "What did Ina adopt?", answer: "a parrot", evidence: ["D1:1"], category: 4 },
      { question: "What happened to Tom's kiln?", answer: "it broke", evidence: ["D1:02; D2:1", "D9:9"], category: 1 },
      { question: "When did Ina fly?", adversarial_answer: "Monday", evidence: [], category: 5 },
    ],
    event_summary: {},
  },
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chest-public-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function putAll(): void {
  put("jglue/jsquad-v1.1/valid-v1.1.json", SQUAD);
  put("cmrc2018/cmrc2018_dev.json", SQUAD);
  put("cosqa/code_idx_map.txt", CODES);
  put("cosqa/cosqa-retrieval-test-500.json", ASKED);
  put("cran/cran.all.1400", ABSTRACTS);
  put("cran/cran.qry", QUERIES);
  put("cran/cranqrel", JUDGED);
  put("locomo10.json", LOCOMO);
}

it("reads each public collection in its published format", () => {
  putAll();
  const sets = publicSets(folder);
  expect(sets.map(({ name }) => name)).toEqual(["jsquad", "cmrc2018", "cosqa", "cranfield", "locomo.conv-1"]);
  expect(sets.every(({ isUntuned }) => isUntuned)).toBe(true);
  const [jsquad, , cosqa, cranfield, locomo] = sets;
  expect(jsquad?.documents[0]).toMatchObject({
    about: "灯台",
    content: "灯台\n灯台は港の入口に立ち、霧の日には鐘を鳴らす。",
  });
  expect(jsquad?.questions.map(({ answers }) => answers)).toEqual([["jsquad/0"], ["jsquad/1"], []]);
  expect(cosqa?.questions[0]).toMatchObject({ text: "python mean of numbers", answers: ["cosqa/4"] });
  // An abstract without text is not stored, and a judgement of -1 is no answer.
  expect(cranfield?.documents.map(({ key }) => key)).toEqual(["cranfield/1", "cranfield/2"]);
  expect(cranfield?.questions.map(({ text, answers }) => [text, answers])).toEqual([
    ["how is flutter of panels measured .", ["cranfield/1", "cranfield/2"]],
    ["what heats the nose of blunt bodies .", ["cranfield/2"]],
  ]);
  expect(locomo?.documents.map(({ key, content }) => [key, content])).toEqual([
    ["locomo.conv-1/D1:1", "Ina: I adopted a grey parrot. [shows a parrot on a sofa]"],
    ["locomo.conv-1/D1:2", "Tom: How lovely! I bought a kiln."],
    ["locomo.conv-1/D2:1", "Tom: My kiln broke on Sunday."],
  ]);
  expect(locomo?.questions.map(({ kind, answers }) => [kind, answers])).toEqual([
    ["one turn", ["locomo.conv-1/D1:1"]],
    ["several turns", ["locomo.conv-1/D1:2", "locomo.conv-1/D2:1"]],
  ]);
});

it("counts the share of the evidence found where all of it is required", () => {
  const { recall1, recall5, recall10, mrr, ndcg10 } = measure([{ place: 1, places: [1, 4, 0] }]);
  expect([recall1, recall5, recall10, mrr]).toEqual([1 / 3, 2 / 3, 2 / 3, 1]);
  const ideal = 1 + 1 / Math.log2(3) + 1 / Math.log2(4);
  expect(ndcg10).toBeCloseTo((1 + 1 / Math.log2(5)) / ideal);
});

it("evaluates all of them from the command line, each collection by itself", () => {
  putAll();
  const args = ["e2e/eval/main.ts", "--public", folder, "--leg", "words", "--leg", "fts5", "--json"];
  const report = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", stdio: "pipe" }));
  const rows: { set: string; leg: string; part: string; measures: { questions: number; recall1: number } }[] =
    report.rows;
  expect(rows.map(({ set, leg, part, measures }) => [set, leg, part, measures.questions])).toEqual([
    ...["jsquad", "cmrc2018"].flatMap((set) => ["words", "fts5"].map((leg) => [set, leg, "all", 2])),
    ...["words", "fts5"].map((leg) => ["cosqa", leg, "all", 1]),
    ...["words", "fts5"].map((leg) => ["cranfield", leg, "all", 2]),
    ...["words", "fts5"].map((leg) => ["locomo.conv-1", leg, "all", 2]),
    ...["words", "fts5"].map((leg) => ["locomo, all", leg, "all", 2]),
  ]);
  expect(rows.find(({ set, leg }) => set === "jsquad" && leg === "words")?.measures.recall1).toBe(1);
}, 60_000);

it.each([
  ["an empty folder", () => {}, /no public collection lies in chest-public-\w+; it may have\n {2}jsquad: valid/],
  ["half of a collection", () => put("cran.qry", QUERIES), /no public collection lies in/],
  ["JSON that is cut off", () => put("locomo10.json", "[{"), /locomo10\.json is not JSON/],
  [
    "another form",
    () => put("cmrc2018_dev.json", { data: [{ title: "灯台", paragraphs: [{ context: 7 }] }] }),
    /cmrc2018_dev\.json is not in the form in which it is published: data\.0\.paragraphs\.0\.context/,
  ],
  [
    "a judgement that is none",
    () => {
      putAll();
      put("cran/cranqrel", "1 1\n");
    },
    /cranqrel, line 1, is no judgement/,
  ],
])("says what is wrong with %s, and asks nothing", (_, make, message) => {
  make();
  const { status, stderr } = spawnSync(process.execPath, ["e2e/eval/main.ts", "--public", folder], {
    encoding: "utf8",
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
});
