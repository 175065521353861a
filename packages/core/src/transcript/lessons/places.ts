import type { linesIn } from "../sentences.ts";

/** A place that a sentence has in its turn. */
export type Place =
  | "in_one_or_two"
  | "in_few"
  | "in_many"
  | "opens_turn"
  | "opens_line"
  | "point"
  | "under_heading"
  | "under_cause"
  | "under_repair"
  | "under_changes";

type Line = ReturnType<typeof linesIn>[number];

const HEADING = /^#{1,6}\s|[:：]$/;
const HEADINGS: readonly (readonly [Place, RegExp])[] = [
  [
    "under_cause",
    /cause|why|problem|issue|reason|finding|learn|\bnotes?\b|caveat|important|limit|decision|原因|問題|理由|注意|问题|根因|원인|문제|이유|주의/i,
  ],
  ["under_repair", /fix|solution|repair|修正|対応|解決|修复|方案|해결|수정/i],
  ["under_changes", /chang|done|summar|added|updat|implement|変更|完了|まとめ|变更|요약|변경/i],
];
const FEW = 8;
const MANY = 20;

/** Places of a sentence in a line of a turn. Few sentences of a turn are asked for. */
export function placesOf(lines: readonly Line[], line: Line, sentence: string): Place[] {
  const isFirst = sentence === line.sentences[0];
  return [
    ...lengthOf(lines.reduce((sum, { sentences }) => sum + sentences.length, 0)),
    ...placesUnder(lines.slice(0, lines.indexOf(line) + 1).findLast(isHeading)),
    ...(isFirst && line === lines[0] ? (["opens_turn"] as const) : []),
    ...(isFirst ? (["opens_line"] as const) : []),
    ...(line.isPoint ? (["point"] as const) : []),
  ];
}

function lengthOf(sentences: number): Place[] {
  if (sentences <= 2) return ["in_one_or_two"];
  if (sentences <= FEW) return ["in_few"];
  return sentences > MANY ? ["in_many"] : [];
}

const isHeading = ({ sentences: [only = "", ...more] }: Line): boolean => more.length === 0 && HEADING.test(only);

function placesUnder(heading: Line | undefined): Place[] {
  const [words] = heading?.sentences ?? [];
  if (words === undefined) return [];
  return ["under_heading", ...HEADINGS.flatMap(([place, form]) => (form.test(words) ? [place] : []))];
}
