import { z } from "zod";

/** A project that a row lay in before that was joined to another. */
const formerProject = z.object({
  key: z.string(),
  /**
   * Id of the former project in this store, which a split gives back. Only the note of the project's key has it;
   * notes of other rows, and those from another store, do not.
   */
  id: z.int().positive().optional(),
  /** Name that the memory had in the former project, if another memory has it in the joined one. */
  name: z.string().optional(),
});
export type FormerProject = z.infer<typeof formerProject>;

const formerProjects = z.array(formerProject);

/** Reads the note of the projects that a row lay in, the first one first; a note that is none counts as empty. */
function readJoinedFrom(note: string | null): readonly FormerProject[] {
  if (note === null) return [];
  try {
    return formerProjects.safeParse(JSON.parse(note)).data ?? [];
  } catch {
    return []; // An archive can say what it likes.
  }
}

/** The note of a row whose project is joined to another now. */
export const withFormer = (note: string | null, former: FormerProject): string =>
  JSON.stringify([...readJoinedFrom(note), former]);

/** Writes the keys and names of a note anew. */
export const renamedFormer = (
  note: string,
  rename: { readonly key: (key: string) => string; readonly name: (name: string) => string },
): string =>
  JSON.stringify(
    readJoinedFrom(note).map(({ key, name, ...rest }) => ({
      key: rename.key(key),
      ...rest,
      ...(name === undefined ? {} : { name: rename.name(name) }),
    })),
  );

/** Keys of a note, as an archive has them; undefined for none. */
export function formerKeysOf(note: string | null): string[] | undefined {
  const keys = readJoinedFrom(note).map(({ key }) => key);
  return keys.length > 0 ? keys : undefined;
}

/** The note of keys that an archive has. */
export const noteOfFormerKeys = (keys: readonly string[] = []): string | null =>
  keys.length > 0 ? JSON.stringify(keys.map((key) => ({ key }))) : null;

/** Takes a project out of a note: its part, and the rest of the note; undefined where the row was never joined from there. */
export function splitFrom(
  note: string | null,
  key: string,
): { readonly former: FormerProject; readonly left: string | null } | undefined {
  const all = readJoinedFrom(note);
  const at = all.findIndex((each) => each.key === key);
  const former = all[at];
  if (former === undefined) return undefined;
  return { former, left: at === 0 ? null : JSON.stringify(all.slice(0, at)) };
}
