import { text } from "../i18n/index.ts";
import { memberName } from "./words/member-name.ts";

/** Readers of a memory, from few to many. */
export const VISIBILITIES = ["private", "project", "team"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

interface Read {
  readonly visibility: string;
  readonly author: string;
}

/** Describes who can read a memory; names the author if another member looks at a private one. */
export const readersOf = ({ visibility, author }: Read, member: string | undefined): string =>
  visibility === "private" && member !== undefined && author !== member
    ? text.memory.onlyAuthor(memberName(author))
    : (text.memory.visibilities[visibility] ?? visibility);

/** Reads a visibility; an unknown one counts as `private`. */
export const readVisibility = (input: string): Visibility => VISIBILITIES.find((each) => each === input) ?? "private";
