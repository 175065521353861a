import { isAscii } from "./characters.ts";
import { HAN_FORMS, SIMPLIFIED_FORMS } from "./han-forms.ts";

const FIRST = 0x4e00;
const LAST = 0x9fff;

let simplified: Uint16Array | undefined;

/** Table of simplified forms by code unit; 0: no other form. Built at the first text that is not ASCII. */
function table(): Uint16Array {
  if (simplified) return simplified;
  simplified = new Uint16Array(LAST - FIRST + 1);
  const [forms, to] = [HAN_FORMS.replaceAll(/\s/g, ""), SIMPLIFIED_FORMS.replaceAll(/\s/g, "")];
  for (let at = 0; at < forms.length; at++) simplified[forms.charCodeAt(at) - FIRST] = to.charCodeAt(at);
  return simplified;
}

/**
 * Converts Han characters to one form, where there is one: 資料庫 to 资料库, 権限 to 权限, so that a question finds texts in the
 * other form. Length and positions stay.
 */
export function foldHan(text: string): string {
  if (isAscii(text)) return text;
  const forms = table();
  let folded = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const form = forms[text.charCodeAt(at) - FIRST];
    if (!form) continue;
    folded += text.slice(from, at) + String.fromCharCode(form);
    from = at + 1;
  }
  return from === 0 ? text : folded + text.slice(from);
}
