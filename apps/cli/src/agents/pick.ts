/** One thing of a list that a person picks from. */
export interface Choice {
  /** Words that mean it, beside its number. */
  readonly labels: readonly string[];
}

// Answers in the languages of the READMEs, and in a few others that people type out of habit.
const ALL =
  /^(?:y|yes|yep|yeah|ok|okay|sure|a|all(?: of them| two| three| four| five| six| seven| eight)?|everything|every one|both|\*|ja|alle|oui|s[ií]|はい|すべて|全て|全部|是|好|所有|네|예|모두|전부)$/;
const NONE =
  /^(?:n|no|nope|none(?: of them)?|nothing|q|quit|exit|cancel|stop|nein|non|keine|いいえ|否|不|아니요|아니오)$/;
const BETWEEN = /^(?:[\s,;&+、と和]|(?:and|und|et|y)\b)+/;
const POLITE = /^(?:just|only)\s|(?<![\s,])[\s,]*(?:please|thanks|thank you)$/g;
const RANGE = /^(\d{1,3})(?:\s?(?:-|\.\.)\s?(\d{1,3}))?(?![\w-])/;

/**
 * Reads what a person answers to a numbered list: everything, nothing, or numbers, ranges and names, set apart by commas
 * or blanks. Undefined for an answer that is none of these.
 */
export function readPick<C extends Choice>(answer: string, choices: readonly C[]): readonly C[] | undefined {
  const said = answer
    .normalize("NFKC")
    .toLowerCase()
    .replace(/["'`()[\]]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![.!。])[.!。]+$/, "")
    .replace(POLITE, "");
  if (ALL.test(said)) return choices;
  if (NONE.test(said)) return [];
  const picked = new Set<C>();
  for (let rest = said; rest !== ""; rest = rest.replace(BETWEEN, "")) {
    const found = numbered(rest, choices) ?? named(rest, choices);
    if (!found) return undefined;
    for (const choice of found.choices) picked.add(choice);
    rest = rest.slice(found.length);
    if (rest !== "" && !BETWEEN.test(rest)) return undefined;
  }
  return picked.size === 0 ? undefined : choices.filter((choice) => picked.has(choice));
}

interface ChoiceMatch<C> {
  readonly choices: readonly C[];
  /** Characters of the answer that say it. */
  readonly length: number;
}

function numbered<C>(said: string, choices: readonly C[]): ChoiceMatch<C> | undefined {
  const [whole, from, to = from] = RANGE.exec(said) ?? [];
  if (whole === undefined) return undefined;
  const first = Number(from);
  const last = Number(to);
  if (first < 1 || last < first || last > choices.length) return undefined;
  return { choices: choices.slice(first - 1, last), length: whole.length };
}

/** The longest name that the answer begins with; else the only name that begins with its first word. */
function named<C extends Choice>(said: string, choices: readonly C[]): ChoiceMatch<C> | undefined {
  const labels = choices.flatMap((choice) =>
    choice.labels.map((label) => ({
      choice,
      label: label.toLowerCase().replace(/[()]/g, " ").replace(/\s+/g, " ").trim(),
    })),
  );
  const whole = labels
    .filter(({ label }) => said.startsWith(label) && !/^[\w-]/.test(said.slice(label.length)))
    .sort((a, b) => b.label.length - a.label.length)[0];
  if (whole) return { choices: [whole.choice], length: whole.label.length };
  const [word = ""] = /^[\p{L}\d-]+/u.exec(said) ?? [];
  if (word.length < 2) return undefined;
  const begun = new Set(labels.filter(({ label }) => label.startsWith(word)).map(({ choice }) => choice));
  return begun.size === 1 ? { choices: [...begun], length: word.length } : undefined;
}
