/** Stands for the ending of a predicate. Its plain and its polite form share it, and no text that was written has it. */
const SAID = "〻";
const HAS_FORMS = /[\u3040-\u309f\uac00-\ud7a3]/;
const CLAUSE = /[^。、！？!?,.…\n」』）)"”*]+/gu;

/** A text whose Japanese and Korean clauses end alike in the plain and in the polite form: する and します, 한다 and 합니다. */
export const inOneForm = (text: string): string => (hasForms(text) ? text.replace(CLAUSE, clauseInOneForm) : text);

/** Whether a text may have clauses in a plain or a polite form. */
export const hasForms = (text: string): boolean => HAS_FORMS.test(text);

function clauseInOneForm(clause: string): string {
  const said = clause.trimEnd();
  const last = said.charCodeAt(said.length - 1);
  if (last >= 0x3040 && last <= 0x309f) return japanese(said);
  return last >= 0xac00 && last <= 0xd7a3 ? korean(said) : clause;
}

type Rule = readonly [ending: RegExp, form: (before: string, match: RegExpExecArray) => string];

/** Applies the first rule whose ending a clause has. */
function byFirst(rules: readonly Rule[], clause: string): string {
  for (const [ending, form] of rules) {
    const match = ending.exec(clause);
    if (match) return form(clause.slice(0, match.index), match);
  }
  return clause;
}

/** Kana at the end of a verb's stem, each with the one before `ます`. */
const BEFORE_MASU: ReadonlyMap<string, string> = new Map(
  "うい くき ぐぎ すし つち ぬに ぶび むみ わい かき がぎ さし たち なに ばび まみ"
    .split(" ")
    .map(([kana = "", before = ""]) => [kana, before] as const),
);

/** Stem of a verb in all its forms; 取る and 食べる, of which one has 取り before `ます`, both lose their last kana. */
function stemOf(verb: string): string {
  const [rest, last] = [verb.slice(0, -1), verb.slice(-1)];
  return /[るりら]/.test(last) ? rest : rest + (BEFORE_MASU.get(last) ?? last);
}

const CONJUNCTION = /(?:が|ので|のに|から|けれども|けど)$/u;
const SOFTENER = /(?<=です|ます|さい|[だるたい])(?:よね|[よね])$/u;
const IN_JAPANESE: readonly Rule[] = [
  [/(?:でしょう|だろう)$/u, (before) => `${before}${SAID}だろう`],
  [/(?:でした|であった|だった)$/u, (before) => `${before}${SAID}だった`],
  [/(?:では|じゃ)(?:ありませんでした|なかったです|なかった)$/u, (before) => `${before}${SAID}ではなかった`],
  [/(?:では|じゃ)(?:ありません|ないです|ない)$/u, (before) => `${before}${SAID}ではない`],
  [/(?<=[てで])(?:ください|下さい)$/u, (before) => before],
  [/(?<=[はがもにの])(?:ありませんでした|なかった(?:です)?)$/u, (before) => `${before}${SAID}なかった`],
  [/(?<=[はがもにの])(?:ありません|ない(?:です)?)$/u, (before) => `${before}${SAID}ない`],
  [/(?:ませんでした|なかった(?:です)?)$/u, (before) => `${stemOf(before)}${SAID}なかった`],
  [/(?:ません|ない(?:です)?)$/u, (before) => `${stemOf(before)}${SAID}ない`],
  [/(?:まし)?た$/u, (before) => `${before}${SAID}た`],
  [/(?:です|である|であります|(?<![んい])だ)$/u, (before) => before],
  [/ます$/u, (before) => stemOf(before) + SAID],
  [/する$/u, (before) => `${before}し${SAID}`],
  [/[うくぐすつぬぶむる]$/u, (before, [last]) => stemOf(before + last) + SAID],
];

function japanese(clause: string): string {
  const conjunction = CONJUNCTION.exec(clause)?.[0] ?? "";
  const said = clause.slice(0, clause.length - conjunction.length).replace(SOFTENER, "");
  return byFirst(IN_JAPANESE, said) + conjunction;
}

const [FIRST_SYLLABLE, ENDS] = [0xac00, 28];
const [N, B] = [4, 17];

/** Last consonant of a syllable, as its number in Unicode; 0 for none. */
const endOf = (syllable: string): number => (syllable.charCodeAt(0) - FIRST_SYLLABLE) % ENDS;
const open = (text: string): string =>
  text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) - endOf(text.slice(-1)));

const IN_KOREAN: readonly Rule[] = [
  [
    /지 ?(?:마세요|마십시오|마시오|말아 ?주세요|말아 ?주십시오|말아요|말아라|마라|말라|마|말 것)$/u,
    (before) => `${before}지${SAID}마`,
  ],
  [/(?:하세요|하십시오|하시오|해 ?주세요|해 ?주십시오|해 ?줘|해라|하라|해)$/u, (before) => `${before}하${SAID}라`],
  [/으?(?:세요|십시오)$/u, (before) => `${before}${SAID}라`],
  [/습니다$/u, (before) => before + SAID],
  [/니다$/u, (before) => (endOf(before.slice(-1)) === B ? open(before) + SAID : `${before}니다`)],
  [/해요$/u, (before) => `${before}하${SAID}`],
  [/(?:돼|되어)요$/u, (before) => `${before}되${SAID}`],
  [/(?:예요|이에요)$/u, (before) => `${before}이${SAID}`],
  [/[어아]요$/u, (before) => before + SAID],
  [/는다$/u, (before) => before + SAID],
  [/다$/u, (before) => (endOf(before.slice(-1)) === N ? open(before) : before) + SAID],
];

const korean = (clause: string): string => byFirst(IN_KOREAN, clause);
