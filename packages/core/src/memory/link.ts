import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { invalid } from "../tool.ts";

/** Types of a link that callers may make; Chest makes `summarises` besides. */
export const LINK_TYPES = ["depends_on", "contradicts", "elaborates", "related_to", "part_of", "supersedes"] as const;
export type LinkType = (typeof LINK_TYPES)[number];

/** Whether a link of this type is shown beside a memory: succession and summaries are shown in other ways. */
export const isOpenToAgents = (type: string): boolean => type !== "supersedes" && type !== "summarises";

/** Link as it is written down: from one memory to another. */
export interface NewLink {
  readonly to: number;
  readonly type: LinkType;
  readonly note: string | undefined;
}

export const MAX_LINKS = 50;
const MAX_NOTE = 500;

const WRITTEN = /^\s*([a-z_]+)(?:\s*:\s*|\s+)(?:\[?memory:|#)?([1-9]\d{0,15})\]?(?:[\s:,;.–—-]+(\S.*))?$/is;

/** Reads links as `elaborates:12 because of this`. Throws for a type that there is none of, naming the field. */
export function readLinks(input: readonly string[] = [], field: string): NewLink[] {
  return input.map((text, at) => {
    const [, type = "", to, note] = WRITTEN.exec(text) ?? [];
    const path = `${field}.${at}`;
    if (to === undefined) throw invalid([{ path, message: "is not a link: write TYPE:ID, and a note after a blank" }]);
    if (!isLinkType(type)) {
      throw invalid([
        { path, message: `has no type of a link: one of ${LINK_TYPES.map((each) => `\`${each}\``).join(", ")}` },
      ]);
    }
    const shown = note === undefined ? undefined : redact(wellFormed(note.trim()));
    if (shown !== undefined && shown.length > MAX_NOTE) {
      throw invalid([{ path, message: `has a note of ${shown.length} characters, the limit is ${MAX_NOTE}` }]);
    }
    return { to: Number(to), type, note: shown };
  });
}

export const isLinkType = (type: string): type is LinkType => (LINK_TYPES as readonly string[]).includes(type);
