import { createHash } from "node:crypto";
import type { SqlValue } from "@chest/store/database/connection";
import type pg from "pg";

interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** Names of prepared statements by text: a server prepares each once per connection. */
const known = new Map<string, NamedStatement>();

export function prepared(sql: string, values: readonly SqlValue[]): pg.QueryConfig {
  let statement = known.get(sql);
  if (!statement) {
    let count = 0;
    const text = sql.replaceAll("?", () => {
      count += 1;
      return `$${count}`;
    });
    statement = { name: createHash("sha256").update(text).digest("base64url").slice(0, 32), text };
    known.set(sql, statement);
  }
  return { ...statement, values: values.map(storable) };
}

/** PostgreSQL cannot store U+0000, so it is replaced as by `wellFormed`. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return value.includes(NUL) ? value.replaceAll(NUL, "\uFFFD") : value;
  return Array.isArray(value) ? value.map(storable) : value;
}

const NUL = "\0";

/** An unnamed statement is planned for its values each time. */
export function planned(sql: string, values: readonly SqlValue[]): pg.QueryConfig {
  const { name: _, ...unnamed } = prepared(sql, values);
  return unnamed;
}
