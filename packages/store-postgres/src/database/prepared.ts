import { createHash } from "node:crypto";
import type { Value } from "@chest/store/database/connection";
import type pg from "pg";

interface Known {
  readonly name: string;
  readonly text: string;
}

/** Statements that were asked before, by their text: a server prepares each once a connection, by its name. */
const known = new Map<string, Known>();

export function asked(sql: string, values: readonly Value[]): pg.QueryConfig {
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

/** PostgreSQL keeps no U+0000 in a text: it is what `wellFormed` makes of it, wherever a text comes from. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return value.includes(NUL) ? value.replaceAll(NUL, "\uFFFD") : value;
  return Array.isArray(value) ? value.map(storable) : value;
}

const NUL = "\0";

/** Without a name a statement is planned each time, once its values are known. */
export function planned(sql: string, values: readonly Value[]): pg.QueryConfig {
  const { name: _, ...unnamed } = asked(sql, values);
  return unnamed;
}
