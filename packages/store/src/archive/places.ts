import { LOCAL, type Member, noteOfFormerKeys, repositoryKeyOf, storableProjectKey } from "@chest/core/access";
import type { MemoryRecord, ProjectRecord } from "@chest/core/archive";
import { redact } from "@chest/core/redaction";
import { PROJECT_OF_KEY, spellingsOf } from "../database/places.ts";
import type { Transaction } from "../database/transaction.ts";

/** Resolves the project and author of a record. */
export async function placeOf(tx: Transaction, { author, project }: Pick<MemoryRecord, "author" | "project">) {
  const projectId = project === undefined ? undefined : await projectOf(tx, storableProjectKey(project));
  return { projectId, author: await memberNamed(tx, author) };
}

const PROJECT = `SELECT id FROM projects WHERE id = ${PROJECT_OF_KEY}`;

/** Finds or creates a project by key. An operator with access to the database may write into any project. */
async function projectOf({ connection, nowS }: Transaction, key: string): Promise<number> {
  for (;;) {
    const known = await connection.get<{ id: number }>(PROJECT, ...spellingsOf(key));
    if (known) return known.id;
    const sql = "INSERT INTO projects (key, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id";
    const made = await connection.get<{ id: number }>(sql, repositoryKeyOf(key), nowS);
    if (made) return made.id;
  }
}

/** Creates a project with its access list; the access of an existing project is unchanged. */
export async function openOnlyTo(tx: Transaction, project: ProjectRecord): Promise<void> {
  const { key, display_name, access, members, aliases, joined = [] } = project;
  const { connection, nowS } = tx;
  const made = await connection.get<{ id: number }>(
    `INSERT INTO projects (key, display_name, access, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
    storableProjectKey(key),
    display_name && redact(display_name),
    access,
    nowS,
  );
  if (!made) return;
  for (const name of members) {
    const { id } = await memberNamed(tx, name);
    connection.later(
      "INSERT INTO project_members (project_id, member_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
      made.id,
      id,
    );
  }
  // Keeps the archive's spelling, because another spelling of this repository may be a separate project.
  const one = repositoryKeyOf(storableProjectKey(key));
  const isNew = one !== key && (await connection.get(PROJECT, ...spellingsOf(one))) === undefined;
  for (const alias of [...aliases, ...(isNew ? [one] : [])])
    connection.later(
      "INSERT INTO project_aliases (key, project_id, joined_from) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      storableProjectKey(alias),
      made.id,
      incomingFormer(joined.find((each) => each.key === alias)?.joined_from),
    );
}

/** The note of keys that come in, each of them as a key is stored here. */
export const incomingFormer = (keys: readonly string[] = []): string | null =>
  noteOfFormerKeys(keys.map(storableProjectKey));

/** Finds the author by name, made on first use; the importing member where no author is named. */
export async function memberNamed({ connection, nowS }: Transaction, name: string | undefined): Promise<Member> {
  if (name === undefined) return LOCAL;
  const known = await connection.get<{ id: number }>("SELECT id FROM members WHERE name = ?", name);
  if (known) return { id: known.id, name };
  // Member ids are not from a sequence, because tokens and settings bring their own. If two transactions choose the
  // same id, the second one is retried and finds the row.
  const sql = `INSERT INTO members (id, name, created_at)
    VALUES ((SELECT coalesce(max(id), 0) + 1 FROM members), ?, ?) RETURNING id`;
  const made = await connection.get<{ id: number }>(sql, name, nowS);
  if (!made) throw new Error("an insert returned no id");
  return { id: made.id, name };
}
