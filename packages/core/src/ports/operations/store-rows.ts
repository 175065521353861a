export type Cell = string | number | Uint8Array | null;
export type Row = Readonly<Record<string, Cell>>;

/** Every row of a store that no other process uses, for a move to another database. */
export interface StoreRows {
  /** Id of the store, unchanged by moves. */
  readonly uid: string;
  /** Path of its file, for messages. */
  readonly where: string;
  count(table: string): number;
  /** Rows of a table in a stable order, after skipping some. Empty for a missing table. */
  rows(table: string, skip: number): IterableIterator<Row>;
  /** Makes the store refuse to open from now on and name its new location; undefined undoes that. */
  markMoved(to: string | undefined): void;
  close(): void;
}
