import type { UnpackedRows } from "@chest/core/recall";
import { Unreadable } from "./pages.ts";

/** First in a position list: the number of another column follows. */
const COLUMN = 1;
const MOST = 255;

/** Reads a list of rows and their positions, which may go over many pages. */
export class PositionReader {
  readonly #impacts: readonly number[];
  readonly #into: UnpackedRows;
  #id = 0;
  #impact = 0;
  #column = 0;
  /** Bytes of the present row's positions that are still to come; -1 before the first row. */
  #left = -1;
  /** A page ended between the mark of a column and its number. */
  #isColumnNext = false;

  constructor(impacts: readonly number[], into: UnpackedRows) {
    this.#impacts = impacts;
    this.#into = into;
  }

  // One loop over local values: it runs for every byte of every page.
  read(page: Buffer, from: number, to: number): void {
    const impacts = this.#impacts;
    const { ids, impacts: sums } = this.#into.withSpare(to - from);
    let { length } = this.#into;
    let [id, impact, column, left, isColumnNext] = [
      this.#id,
      this.#impact,
      this.#column,
      this.#left,
      this.#isColumnNext,
    ];
    // The first row of a list, and of each page, is told by its id; others by how much further on they are.
    let isFirst = true;
    let at = from;
    while (at < to) {
      if (left > 0) {
        const end = Math.min(to, at + left);
        left -= end - at;
        while (at < end) {
          let byte = page[at++] as number;
          if (isColumnNext) {
            column = byte;
            isColumnNext = false;
          } else if (byte === COLUMN) isColumnNext = true;
          else {
            while (byte >= 0x80) byte = page[at++] as number;
            impact += impacts[column] as number;
          }
        }
        if (at !== end) throw new Unreadable("a position goes past its row");
        continue;
      }
      if (left === 0) {
        ids[length] = id;
        sums[length] = Math.min(impact, MOST);
        length += 1;
      }
      let byte = page[at++] as number;
      let value = byte & 0x7f;
      while (byte >= 0x80) {
        byte = page[at++] as number;
        value = value * 128 + (byte & 0x7f);
      }
      id = isFirst ? value : id + value;
      isFirst = false;
      byte = page[at++] as number;
      left = byte & 0x7f;
      while (byte >= 0x80) {
        byte = page[at++] as number;
        left = left * 128 + (byte & 0x7f);
      }
      left = left >> 1; // The lowest bit: the row was taken out before.
      impact = 0;
      column = 0;
      if (!(at <= to)) throw new Unreadable("a row goes past its page");
    }
    this.#into.length = length;
    [this.#id, this.#impact, this.#column, this.#left, this.#isColumnNext] = [id, impact, column, left, isColumnNext];
  }

  end(): void {
    if (this.#left > 0 || this.#isColumnNext) throw new Unreadable("a list ends too soon");
    if (this.#left < 0) return;
    const { ids, impacts, length } = this.#into.withSpare(1);
    ids[length] = this.#id;
    impacts[length] = Math.min(MOST, this.#impact);
    this.#into.length = length + 1;
  }
}
