import type { Get } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import { memberName } from "./words/member-name.ts";

export type Project = Get<"/api/projects">["projects"][number];

/** Last part of a project's key: the rest says where it is kept. */
export const shortName = (key: string): string => key.split("/").at(-1) ?? key;

/** Projects as choices of a list: one that is closed says so. */
export const projectChoices = (projects: readonly Project[] = []): { value: string; label: string }[] =>
  projects.map(({ key, access }) => ({ value: key, label: access === "open" ? key : text.project.choice(key) }));

/** Tells to whom a project is open: everyone, or some members where it is closed. */
export const opennessOf = ({ access, members = [] }: Omit<Project, "key">): string =>
  access === "open" ? text.people.everyone : text.project.closedTo(members.map(memberName).join(", "));
