/** Irregular verbs and plurals, one per line, the base form first. */
const IRREGULAR = `
  be been; begin began begun; bend bent; bind bound; bleed bled; break broke broken; breed bred; bring brought; build built;
  buy bought; catch caught; choose chose chosen; cling clung; creep crept; deal dealt; dig dug; draw drew drawn;
  drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; fly flew flown;
  forget forgot forgotten; freeze froze frozen; give gave given; go went gone; grow grew grown; hang hung; hear heard;
  hide hid hidden; hold held; keep kept; know knew known; lay laid; lead led; learn learnt; lend lent; lose lost; make made;
  mean meant; meet met; pay paid; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; seek sought;
  sell sold; send sent; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung;
  sink sank sunk; sleep slept; slide slid; speak spoke spoken; spell spelt; spend spent; spin spun; spring sprang sprung;
  stand stood; steal stole stolen; stick stuck; strike struck; swear swore sworn; sweep swept; swing swung; take took taken;
  teach taught; tear torn; tell told; think thought; throw threw thrown; understand understood; wake woke woken;
  wear wore worn; win won; withdraw withdrew withdrawn; write wrote written; rebuild rebuilt; resend resent; rewrite rewrote rewritten;
  overwrite overwrote overwritten; override overrode overridden; undo undid undone; redo redid redone; upset;
  analysis analyses; appendix appendices; axis axes; child children; crisis crises; criterion criteria; foot feet;
  hypothesis hypotheses; index indices; leaf leaves; life lives; man men; matrix matrices; mouse mice; person people;
  phenomenon phenomena; schema schemata; shelf shelves; synopsis synopses; thesis theses; tooth teeth; vertex vertices;
  wife wives; woman women; maintain maintenance; resolve resolution; convert conversion; permit permission;
  fail failure; explain explanation; receive receipt`;

/** British spellings with the American ones that no rule derives. */
const BRITISH = `
  acknowledgement acknowledgment; ageing aging; aluminium aluminum; artefact artifact; calibre caliber; centre center;
  disc disk; enquiry inquiry; enrol enroll; fibre fiber; fulfil fulfill; grey gray; instal install; judgement judgment;
  litre liter; lustre luster; manoeuvre maneuver; meagre meager; metre meter; mould mold; programme program; sabre saber;
  sceptical skeptical; skilful skillful; spectre specter; theatre theater; tyre tire; kilometre kilometer; millimetre millimeter`;

let lemmas: ReadonlyMap<string, string> | undefined;

/** Built on first use, because many processes need none. */
function lemmasByForm(): ReadonlyMap<string, string> {
  lemmas ??= new Map([...formsOf(IRREGULAR).map(([word, form]) => [form, word] as const), ...formsOf(BRITISH)]);
  return lemmas;
}

const OUR =
  /^(arm|behavi|cand|clam|col|endeav|fav|flav|harb|hon|hum|lab|misbehavi|neighb|od|parl|rig|rum|sav|splend|tum|vap|vig)our/;
const ISE = /i[sz](e|ed|es|er|ers|ing|able|ation|ations|ational)$/;
const YSE = /ly[sz](e|ed|es|er|ers|ing)$/;
const OGUE = /(al|ial|ol|onol)og(ue|ues)?$/;
const ENCE = /^(defen|licen|offen|preten)[cs]e(s|d)?$/;
const PLURAL_OF_CENTRE = /^(cent|fib|lit|met|theat|spect)res$/;

/**
 * Base form of an English word in American spelling, in lower case: "wrote" gives write, "colour" gives color; -ize
 * becomes -ise so that both spellings match.
 */
export function lemmaOf(word: string): string {
  const known = lemmasByForm().get(word);
  if (known !== undefined) return known;
  return word
    .replace(OUR, "$1or")
    .replace(ISE, "is$1")
    .replace(YSE, "lys$1")
    .replace(OGUE, "$1og")
    .replace(ENCE, "$1se$2")
    .replace(PLURAL_OF_CENTRE, "$1ers");
}

function formsOf(list: string): (readonly [word: string, form: string])[] {
  return list.split(";").flatMap((line) => {
    const [word = "", ...forms] = line.trim().split(/\s+/);
    return forms.map((form) => [word, form] as const);
  });
}

const LETTERS_AND_NUMBER = /^([a-z]{2,8})([-_./]?)(\d{1,6})$/;
/** A shorter number is a version of the word before it, and occurs in too many other words. */
const CODE_DIGITS = 3;
const NUMBER_AND_UNIT = /^(\d+)([a-z]{2,5})$/;
const COMMIT = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{8,64}$/;
/** Usual length of an abbreviated commit hash. */
const COMMIT_CHARS = 7;
const MOST_HUMPS = 4;

/** The token without its separator: PAY-4417 gives pay4417; a commit hash gives its first digits. Lower case. */
export function closedFormOf(token: string): string | undefined {
  const [, letters = "", joint = "", digits = ""] = LETTERS_AND_NUMBER.exec(token) ?? [];
  if (joint !== "") return letters + digits;
  return COMMIT.test(token) ? token.slice(0, COMMIT_CHARS) : undefined;
}

/** Splits letters from digits: ts and 2345, 30 and min. Lower case. */
export function partsOfMixed(token: string): string[] {
  const [, letters = "", joint = "", digits = ""] = LETTERS_AND_NUMBER.exec(token) ?? [];
  if (joint === "" && digits.length >= CODE_DIGITS) return [letters, digits];
  const [, number, unit] = NUMBER_AND_UNIT.exec(token) ?? [];
  return number === undefined || unit === undefined ? [] : [number, unit];
}

/** Beginning of a camelCase name of a thing, such as WebSocketClient or macOSRunner, but not getUserById. */
export function leadingNameOf([first = "", second = "", ...others]: readonly string[]): string | undefined {
  const isName = /^[A-Z]/.test(first) || /^[A-Z]{2,}$/.test(second);
  return isName && others.length > 0 && others.length <= MOST_HUMPS ? first + second : undefined;
}
