import { text } from "../i18n/index.ts";
import { memberName } from "./words/member-name.ts";

/** Readers of a memory, from few to many. */
export const VISIBILITIES = ["private", "project", "team"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

interface Read {
  readonly visibility: string;
  readonly author: string;
}

/** Names the readers of a memory for a member. A private one that another member asks to show is its author's alone. */
export const readersOf = ({ visibility, author }: Read, member: string | undefined): string =>
  visibility === "private" && member !== undefined && author !== member
    ? text.memory.onlyAuthor(memberName(author))
    : (text.memory.visibilities[visibility] ?? visibility);

/** The narrowest for what is none of them. */
export const readVisibility = (input: string): Visibility => VISIBILITIES.find((each) => each === input) ?? "private";
