import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { committed } from "./committed-reads.ts";
import type { Connection } from "./connection.ts";

/** A connection that gives one thing, or throws it. */
const connection = (gives: unknown, inTransaction = false) => {
  const ask = () => {
    if (gives instanceof Error) throw gives;
    return gives;
  };
  return { db: { inTransaction }, get: ask, all: ask } as unknown as Connection;
};
const failing = (code: string) => connection(new Database.SqliteError("no", code));

it.each([
  ["the one that writes", connection("read"), connection("written"), "written"],
  ["the reader, while a transaction is open", connection("read"), connection("written", true), "read"],
  ["the reader, while another process recovers the log", connection("read"), failing("SQLITE_BUSY_RECOVERY"), "read"],
])("what is committed is asked of %s", (_, reader, writing, answer) => {
  const { get, all } = committed(reader, writing);
  expect([get(""), all("")]).toEqual([answer, answer]);
});

it("says what is wrong with the file", () => {
  const { get } = committed(connection("read"), failing("SQLITE_CORRUPT"));
  expect(() => get("")).toThrow(expect.objectContaining({ code: "SQLITE_CORRUPT" }));
});
