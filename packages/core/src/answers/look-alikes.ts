/**
 * Characters that are drawn like a letter of a frame's name, like `<`, `>`, `/`, `\` or `-`: those of Unicode 15's
 * confusables, and letters with a stroke, a hook, a circle or a square around them. Upper case stands here only where
 * its lower case is drawn like another letter; what has a compatibility form that is ASCII needs no entry.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: "ɑαаᗅᴀᶏ⍶⍺ⱥꓮꭺ\u{102a0}\u{16f40}\u{1f150}\u{1f170}\u{1f1e6}",
  c: "¢ƈȼɕсҫᴄ₡ⲥꓚꞓꞔꮯ\u{102a2}\u{10302}\u{1043d}\u{1051c}\u{118e9}\u{118f2}\u{1df1d}\u{1f152}\u{1f16e}\u{1f172}\u{1f1e8}\u{1f74c}",
  d: "ðđƌȡɖɗԁᑯᗞᗪᴅᵭᶁᶑ₫ꓒꓓꟈꭰꮷ\u{1f153}\u{1f173}\u{1f1e9}",
  e: "ɇεеҽҿᴇᶒ℮⋿ⱸⴹꓰꬲꬴꭼ\u{10286}\u{118c6}\u{118ce}\u{1f154}\u{1f174}\u{1f1ea}",
  g: "ƍǥɠɡɢʛԍցᏻᶃꓖꞡꮐ\u{1f156}\u{1f176}\u{1f1ec}",
  h: "ħɦʜΗнћңһӈӊհᏺᕼⱨⲏꓧꚕꞕꮋꮒ\u{102cf}\u{1f157}\u{1f177}\u{1f1ed}",
  k: "ƙκкқҟᛕᴋᶄ₭ⱪⲕꓗꝁꝃꝅꞣꮶ\u{10518}\u{1f15a}\u{1f17a}\u{1f1f0}",
  l: "ıłƚǀȴɨɩɪɫɬɭʟιіӏ\u{5c0}\u{5d5}\u{5df}\u{627}\u{661}\u{673}۱\u{7ca}ᒪᛁᴌᵻᵼᶅᶖ∣⍳⍸⏽ⱡⲓⳑⵏꓡꓲꙇꝉꞎꬷꬸꬹꭵꮮ\u{1028a}\u{10309}\u{10320}\u{10443}\u{10526}\u{118c3}\u{118d2}\u{16f16}\u{16f28}\u{1d22a}\u{1df04}\u{1df11}\u{1df13}\u{1df1a}\u{1e8c7}\u{1f158}\u{1f15b}\u{1f178}\u{1f17b}\u{1f1ee}\u{1f1f1}",
  ll: "ǁ\u{5f0}‖∥\u{10199}",
  lo: "ю⏨",
  m: "ɱμϻмӎᗰᛖᴍᵯᶆ₥ⲙꓟꬺꮇ\u{102b0}\u{10311}\u{11700}\u{118e3}\u{1f15c}\u{1f17c}\u{1f1f2}",
  n: "ƞȵɲɳɴηνոռᵰᶇⲛꓠꞑꞥꬻ\u{1018e}\u{10513}\u{1f15d}\u{1f17d}\u{1f1f3}",
  o: "øɵθοσоѳөօ\u{5e1}\u{647}\u{665}\u{6be}\u{6c1}\u{6d5}۵\u{6ff}\u{7c0}०০੦૦ଠ୦௦౦೦ഠ൦๐໐တဝ၀ჿዐᴏᴑ⊖⊝⍬ⱺⲟⴱⵁⵔ〇ꓳꝋꝍꬽꬾꭴꮎꮻ\u{10292}\u{102ab}\u{1042c}\u{104ea}\u{10516}\u{114d0}\u{118c8}\u{118d5}\u{118d7}\u{118e0}\u{1d21a}\u{1df1b}\u{1f15e}\u{1f17e}\u{1f1f4}\u{1f714}",
  r: "ɍɼɽɾʀгғᖇᴦᵲᵳᶉⲅꓣꞧꭆꭇꭈꭉꭱꮁꮢ\u{104dc}\u{16f35}\u{1d216}\u{1df16}\u{1f161}\u{1f181}\u{1f1f7}",
  s: "ƽȿʂѕտᵴᶊꓢꜱꞩꟊꮥꮪ\u{10296}\u{10448}\u{118c1}\u{16f3a}\u{1df1e}\u{1f162}\u{1f182}\u{1f1f8}",
  t: "ŧƫƭȶʈτтҭᴛᵵ₮⊤⍡⟙ⱦⲧꓔꭲ\u{10297}\u{102b1}\u{10315}\u{118bc}\u{16f0a}\u{1df09}\u{1f163}\u{1f183}\u{1f1f9}\u{1f768}",
  w: "ɯѡѽԝաᴡ₩ⱳꓪꝡꮃꮤ\u{114c5}\u{1170a}\u{1170e}\u{1170f}\u{118e6}\u{118ef}\u{1f166}\u{1f186}\u{1f1fc}",
  y: "¥ƴɏɣʏγυуүұყᶌỿⲩꓬꭚꭹꮍ\u{102b2}\u{118c4}\u{118dc}\u{16f43}\u{1f168}\u{1f188}\u{1f1fe}",
  "<": "\u02C2\u1438\u16B2\u2039\u226A\u227A\u22D6\u276C\u276E\u27E8\u27EA\u2991\u29FC\u2AA1\u3008\u300A\u{1D236}\u00AB",
  ">": "\u02C3\u1433\u203A\u226B\u227B\u22D7\u276D\u276F\u27E9\u27EB\u2992\u29FD\u2AA2\u3009\u300B\u{16F3F}\u{1D237}\u00BB",
  "/": "\u1735\u2041\u2044\u2215\u2571\u27CB\u29F6\u29F8\u2CC6\u3033\u30CE\u31D3\u4E3F\u{1D23A}",
  "\\": "\u2216\u2572\u27CD\u29F5\u29F9\u31D4\u4E36\u{1D20F}\u{1D23B}",
  "-": "\u02C9\u02D7\u06D4\u1173\u2043\u2212\u2238\u2500\u2501\u2796\u2A29\u2A2A\u2CBB\u30FC\u4E00",
};

const PLAIN_BY_CHARACTER = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([plain, alikes]) => Array.from(alikes, (alike) => [alike, plain] as const)),
);

/** Whether a text contains a character that looks like `<`. */
export const hasOpeningAngle = (text: string): boolean =>
  text.includes("<") || OPENING_ANGLE.test(text.normalize("NFKD"));
const OPENING_ANGLE = new RegExp(`[<${LOOK_ALIKES["<"]}]`, "u");

const MARK = /\p{M}/u;
const DASH = /\p{Pd}/u;

/**
 * Maps a code point to the plain lower-case ASCII that it looks like, without accents: nothing for an accent, several
 * letters for a ligature. `i`, `1` and `|` become `l`, and `0` becomes `o`.
 */
export function plainly(point: string): string {
  const known = PLAIN_BY_CHARACTER.get(point);
  if (known !== undefined) return known;
  if (point < "\x80") return plainAscii(point);
  return Array.from(point.normalize("NFKD"), plainPart).join("");
}

function plainPart(part: string): string {
  if (part < "\x80") return plainAscii(part);
  if (MARK.test(part)) return "";
  if (DASH.test(part)) return "-";
  const lower = part.toLowerCase();
  return PLAIN_BY_CHARACTER.get(part) ?? PLAIN_BY_CHARACTER.get(lower) ?? (lower.length === 1 ? lower : "\uFFFD");
}

function plainAscii(character: string): string {
  if (/[iI1|]/.test(character)) return "l";
  return character === "0" ? "o" : character.toLowerCase();
}
