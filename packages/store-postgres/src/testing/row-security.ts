import { onceOn } from "./server.ts";

/** Role that policies bind: neither a superuser nor the owner of the tables. */
export const BOUND_ROLE = "chest_bound";

const WITH_SPACE = ["memories", "entities", "entity_aliases", "session_file_edits", "coarse_vectors", "tombstones"];
const OF_A_MEMORY = [
  ...["memory_text", "postings", "vectors", "memory_tags", "memory_files", "memory_versions"],
  ...["memory_sources", "memory_access_log", "memory_activation", "injections", "inbox_notes"],
];

// `*` is work of the store itself; without a setting no row is visible.
const IS_OPEN = `current_setting('chest.spaces', true) = '*'
  OR space = ANY (string_to_array(current_setting('chest.spaces', true), ','))`;

const POLICIES = [
  ...WITH_SPACE.map((table) => [table, IS_OPEN]),
  ...OF_A_MEMORY.map((table) => [
    table,
    `current_setting('chest.spaces', true) = '*' OR EXISTS (SELECT 1 FROM memories m WHERE m.id = memory_id)`,
  ]),
  ["events", `current_setting('chest.spaces', true) = '*' OR EXISTS (SELECT 1 FROM entities e WHERE e.id = entity_id)`],
];

/**
 * Enables row-level security: a statement that lacks its space condition still sees only its caller's rows. Writes are
 * not restricted.
 */
export async function secureRows(url: string): Promise<void> {
  const statements = POLICIES.flatMap(([table, isSeen]) => [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY seen ON ${table} FOR SELECT USING (${isSeen})`,
    `CREATE POLICY added ON ${table} FOR INSERT WITH CHECK (true)`,
    `CREATE POLICY changed ON ${table} FOR UPDATE USING (true)`,
    `CREATE POLICY removed ON ${table} FOR DELETE USING (true)`,
  ]);
  await onceOn(
    url,
    `DO $$ BEGIN CREATE ROLE ${BOUND_ROLE}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
     GRANT ALL ON ALL TABLES IN SCHEMA public TO ${BOUND_ROLE};
     GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${BOUND_ROLE};
     ${statements.join(";\n")}`,
  );
}
