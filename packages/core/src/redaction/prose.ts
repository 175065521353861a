import { isHarmless } from "./harmless-value.ts";

const NAME =
  "(?:pass(?:word|wd|phrase|code)|pwd|(?:api|access|secret|private|auth)[ _-]?(?:key|token|secret)|token|secret)";
const NAME_ABROAD =
  "(?:passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|парол[ья]|パスワード|暗証番号|トークン|密码|密碼|口令|令牌|비밀번호|암호|패스워드|토큰)";
const OF = String.raw`(?:[ \t](?:for|of|on|in|at)(?:[ \t][\w.@/-]{1,60}){1,4}?)?`;
const IS = String.raw`[ \t]{1,3}(?:is|was|will be|reads|became)(?:[ \t](?:now|still|just|simply)){0,2}(?:[ \t](?:set|changed|reset)[ \t]to)?[ \t]{0,3}:?[ \t]{1,3}`;
const SET = String.raw`[ \t]{1,3}(?:(?:has[ \t]been|got)[ \t])?(?:set[ \t]|changed[ \t]|reset[ \t])?to[ \t]{1,3}`;
const IS_ABROAD = String.raw`[ \t]{0,3}(?:は|が|是|为|為|은|는|이|가|это|ist|lautet|est|es|é|[:：=—-]){1,2}[ \t]{0,3}`;
const WITH = String.raw`(?<=(?:\b(?:with|using|and)|[/,])[ \t]{1,3}(?:the[ \t]{1,3}|a[ \t]{1,3})?)${NAME}[ \t]{1,3}`;
const SAID = new RegExp(
  String.raw`(?<![\w.$-])(?:${NAME}${OF}(?:${IS}|${SET})|${WITH})|(?<![\p{L}\p{N}])${NAME_ABROAD}${IS_ABROAD}|(?:${NAME_ABROAD})${IS_ABROAD}`,
  "giu",
);

// A secret in prose is named in its sentence. This test costs a twentieth of the expression above, which costs as much
// as all other work on a prompt.
const NAMED = new RegExp(`${NAME}|${NAME_ABROAD}`, "iu");

const QUOTED = /(["'`“「])([^\s"'`“”「」]{4,200})(?:["'`”」])/uy;
// Neither a quote, a comma nor a backslash: inside of JSON a line end is written `\n`.
const BARE = /[\w!#$%&()*+\-./:=?@[\]^{|}~]{6,200}/y;
const SENTENCE_END = /(?<![.,:!?)\]}])[.,:!?)\]}]+$/;
const WORD = /^\p{L}{1,24}$/u;
const MIXED = /^(?=.*\d)(?=.*[A-Za-z])/;
// Encodings, lengths, versions and times are spoken of in the same way.
const TECHNICAL =
  /^(?:sha-?\d|utf-?\d|base-?\d\d|[hrep]s\d{3}|ed\d|x509|pkcs|p-?\d{3}|aes|rsa|ascii|iso-?\d|rfc-?\d|oauth|http|v?\d+(?:\.|$)|\d+[a-z-]{1,12}$|\d{4}-\d\d|0x)/i;
const OF_CODE = /^[\w$]+\.[\w$.]+$|[()[\]{}]|:\/\/|^[./~@]|=>|->/;

/** Replaces what people tell in a sentence: "the password is …", "log in with password …", "パスワードは…". */
export function redactProse(text: string, found: () => string): string {
  if (!NAMED.test(text)) return text;
  let kept = "";
  let copied = 0;
  for (const match of text.matchAll(SAID)) {
    const from = match.index + match[0].length;
    if (from < copied) continue;
    const [start, end] = valueAt(text, from) ?? [0, 0];
    if (end === 0) continue;
    kept += text.slice(copied, start) + found();
    copied = end;
  }
  return kept + text.slice(copied);
}

function valueAt(text: string, from: number): [number, number] | undefined {
  QUOTED.lastIndex = from;
  const [whole, , inside] = QUOTED.exec(text) ?? [];
  if (whole !== undefined && inside !== undefined) {
    const start = from + 1;
    return isSecret(inside) ? [start, start + inside.length] : undefined;
  }
  BARE.lastIndex = from;
  const value = BARE.exec(text)?.[0].replace(SENTENCE_END, "");
  return value !== undefined && value.length >= 6 && isSecret(value) ? [from, from + value.length] : undefined;
}

/**
 * A word could be any word of the sentence; letters and digits together were chosen as a secret, or made by a machine.
 */
function isSecret(value: string): boolean {
  return MIXED.test(value) && !WORD.test(value) && !TECHNICAL.test(value) && !OF_CODE.test(value) && !isHarmless(value);
}
