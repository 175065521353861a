const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu;
const WORD = /[\p{Script=Latin}\p{N}_./@-]{3,}/gu;
const MUCH = 0.7;

/** Whether a statement repeats another one: they share seven tenths of the shorter one's words. */
export function isRestated(before: string, now: string): boolean {
  const [a, b] = [termsOf(before), termsOf(now)];
  const [less, more] = a.size < b.size ? [a, b] : [b, a];
  if (less.size === 0) return before === now;
  const shared = [...less].filter((term) => more.has(term)).length;
  return shared / less.size >= MUCH;
}

function termsOf(text: string): Set<string> {
  const plain = text.normalize("NFKC").toLowerCase();
  const terms = new Set(plain.match(WORD));
  // Two neighbouring characters stand for a word where no blanks part them.
  for (const run of plain.match(CJK_RUN) ?? []) {
    for (let at = 0; at + 2 <= run.length; at += 1) terms.add(run.slice(at, at + 2));
  }
  return terms;
}
