import { text } from "../../i18n/index.ts";

/** Names a member for readers: the two that every store has are described, all others have names of their own. */
export const memberName = (name: string): string => text.people.builtInNames[name] ?? name;

/** Choice of a member in a list. */
export const memberOption = (name: string) => ({ value: name, label: memberName(name) });
