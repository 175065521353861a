import { ChestError } from "@chest/contracts";
import type { AccessReads, ProjectRow } from "../ports/access.ts";
import { projectOfKey } from "./project.ts";
import { repositoryKeyOf } from "./project-key.ts";
import { noSuch } from "./refusals.ts";

/** Reads two projects that are to be joined, and what becomes of them. Throws where one is missing, or both are one. */
export async function readJoin(reads: AccessReads, key: string, into: string) {
  const projects = await reads.projects();
  const [from, to] = [projectOfKey(projects, key), projectOfKey(projects, into)];
  if (!from) throw noSuch("project", key);
  if (!to) throw noSuch("project", into);
  if (from.id === to.id) throw areOne(key, to);
  return { from, to, one: asOne(from, to), moves: await reads.countIn(from.id) };
}

/** How open two projects are once they are one: no member comes in who could not open both. */
function asOne(from: ProjectRow, into: ProjectRow): ProjectRow {
  const [first, ...others] = [from, into].filter(({ access }) => access === "members");
  if (!first) return into;
  const memberIds = first.memberIds.filter((id) => others.every((each) => each.memberIds.includes(id)));
  return { ...into, access: "members", memberIds };
}

/** Reads a project that another one was joined to, and the key of that one. Throws where none was. */
export async function readSplit(reads: AccessReads, request: string) {
  const whole = projectOfKey(await reads.projects(), request);
  if (!whole) throw noSuch("project", request);
  const one = repositoryKeyOf(request);
  for (const key of [request, ...whole.aliases.filter((each) => repositoryKeyOf(each) === one)]) {
    const moves = await reads.countJoined(whole.id, key);
    if (moves !== undefined) return { key, whole, moves };
  }
  throw wasNotJoined(request, whole);
}

const areOne = (key: string, { key: own }: ProjectRow): ChestError =>
  new ChestError("INVALID_INPUT", `\`${key}\` and \`${own}\` are one project`, {
    hint: "`chest-index project list` shows the keys that lead to it",
    details: { field: "into", project: own },
  });

const wasNotJoined = (key: string, { key: own }: ProjectRow): ChestError =>
  new ChestError("INVALID_INPUT", `no project \`${key}\` was joined to \`${own}\``, {
    hint: "name the key that the project had before: `chest-index project list` shows the keys that lead to it",
    details: { field: "key", project: own },
  });
