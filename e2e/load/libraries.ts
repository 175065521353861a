import { createRequire } from "node:module";
import { join } from "node:path";
import type { Engine } from "@chest/core";
import { ROOT } from "../support/process.ts";

// The floors stand on the very copies that the product runs on, so they are taken from where it keeps them.
const ofServer = createRequire(join(ROOT, "apps/server/package.json"));
const ofStore = createRequire(join(ROOT, "packages/store-sqlite/package.json"));

interface StoreLibrary {
  openSqliteEngine(options: {
    readonly path: string;
    readonly synchronous?: "FULL" | "NORMAL";
    readonly clock?: { now(): Date };
  }): Promise<Engine>;
}

export interface Statement {
  run(...values: readonly unknown[]): unknown;
  get(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): unknown[];
}

export interface Database {
  pragma(source: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

interface HttpApp {
  register(plugin: unknown, options: unknown): PromiseLike<unknown>;
  post(path: string, handler: () => Promise<unknown>): unknown;
  listen(options: { readonly port: number; readonly host: string }): Promise<string>;
}

export const { openSqliteEngine } = ofServer("@chest/store-sqlite") as StoreLibrary;

export function openDatabase(path: string, options: { readonly readonly?: boolean } = {}): Database {
  const Sqlite = ofStore("better-sqlite3") as new (path: string, options: object) => Database;
  return new Sqlite(path, options);
}

export function openHttpApp(): { readonly app: HttpApp; readonly bearerAuth: unknown } {
  return { app: (ofServer("fastify") as () => HttpApp)(), bearerAuth: ofServer("@fastify/bearer-auth") };
}
