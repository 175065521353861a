import { ChestError } from "@chest/contracts";
import { redact } from "../redaction/redact.ts";
import { cut } from "../text/cut.ts";

export const MAX_TAGS = 50;
export const MAX_TAG_LENGTH = 100;

const HASHTAG = /(?:^|[\s([{"'、。，])#([\p{L}][\p{L}\p{M}\p{N}\-_.:/]{0,99}(?:\+\+)?)/gu;
const HEX_COLOUR = /^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/;
/** Allows `c++` and `c#`, which are common tags. */
const TAG = /^[\p{L}\p{M}\p{N}\-_.:/]+(?:#|\+\+)?$/u;

/** Tags as they are compared: NFKC, lower case, without a leading `#`, each once. Throws for what cannot be a tag. */
export function readTags(tags: readonly string[], field = "tags"): string[] {
  return [...new Set(tags.map((tag) => readTag(tag, field)))];
}

/** Joins two tag lists, up to the limit of one memory. */
export function uniteTags(first: readonly string[], second: readonly string[]) {
  const all = [...new Set([...first, ...second])];
  return { kept: all.slice(0, MAX_TAGS), isCut: all.length > MAX_TAGS };
}

function readTag(input: string, field: string): string {
  const tag = plain(redact(input));
  if (isTag(tag)) return tag;
  const shown = JSON.stringify(cut(tag, 40));
  const rule = `a tag is 1 to ${MAX_TAG_LENGTH} letters, digits or -_.:/, with ++ or # at the end`;
  throw new ChestError("VALIDATION_ERROR", `${field}: ${shown} is not a tag: ${rule}`, {
    hint: "replace blanks with `-`",
    details: { issues: [{ path: field, message: "not a tag" }] },
  });
}

export const isTag = (tag: string): boolean => TAG.test(tag) && tag.length <= MAX_TAG_LENGTH;

/** Every `#word` of a redacted text that can be a tag; `#123` and colour codes cannot. */
export function hashtagsOf(content: string): string[] {
  const found = new Set<string>();
  for (const [, word = ""] of content.matchAll(HASHTAG)) {
    const tag = plain(word).replace(/(?<![.:/-])[.:/-]+$/, "");
    if (isTag(tag) && !HEX_COLOUR.test(tag)) found.add(tag);
    if (found.size > MAX_TAGS) break;
  }
  return [...found];
}

const plain = (tag: string): string => tag.normalize("NFKC").trim().replace(/^#/, "").toLowerCase();
