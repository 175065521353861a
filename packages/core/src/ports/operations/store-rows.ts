export type Cell = string | number | Uint8Array | null;
export type Row = Readonly<Record<string, Cell>>;

/** Every row of a store that no other process has open, for a move into another database. */
export interface StoreRows {
  /** Name of the store that stays the same wherever it is kept. */
  readonly uid: string;
  /** Path of its file, for messages. */
  readonly where: string;
  count(table: string): number;
  /** Rows of a table in an order that stays the same, without the first so many. Empty for a table that is not there. */
  rows(table: string, skip: number): IterableIterator<Row>;
  /** Makes every later opening of this store refuse, and name the place it went to; undefined takes that back. */
  markMoved(to: string | undefined): void;
  close(): void;
}
