import { FIELD_WEIGHTS, packed, UnpackedRows } from "@chest/core/recall";
import { expect, it } from "vitest";
import type { Connection } from "../database/connection.ts";
import type { PackedRows } from "./packed-rows.ts";
import { Postings } from "./postings.ts";

function anIndexWithoutTerms() {
  let reads = 0;
  const connection = {
    snapshot: <T>(work: () => T) => work(),
    get: () => undefined, // No index whose pages could be read.
    ids: () => {
      reads += 1;
      return [];
    },
  } as unknown as Connection;
  return { connection, reads: () => reads };
}

it("does not keep every word that nobody has ever written", () => {
  const { connection, reads } = anIndexWithoutTerms();
  const postings = new Postings(connection);
  const ask = (nth: number) => postings.of(`unheard-${nth}`, false, 1);
  ask(0);
  ask(0);
  expect(reads()).toBe(1);
  for (let nth = 1; nth <= 300_000; nth += 1) ask(nth);
  ask(300_000);
  expect(reads()).toBe(300_001);
  ask(0);
  expect(reads()).toBe(300_002);
});

it("reads no index where all rows are known elsewhere", () => {
  const { connection, reads } = anIndexWithoutTerms();
  const postings = new Postings(connection);
  expect(postings.of("word", false, 0)).toHaveLength(0);
  postings.extend(() => ({ ids: [3, 5], impacts: [1, 1] }), new Uint32Array(6));
  expect(postings.of("word", false, 5)).toHaveLength(2);
  expect(reads()).toBe(0);
});

const TERMS = Array.from({ length: 60 }, (_, nth) => `term-${nth}`);
const SCOPES = 4;
const ROWS = 12_000;

/** Each term in other rows, from nearly all to a few, in the column of words; the newer half is not indexed yet. */
const idsOf = (term: string, to = ROWS): number[] => {
  const step = 1 + TERMS.indexOf(term);
  return Array.from({ length: Math.floor(to / step) }, (_, at) => (at + 1) * step);
};
const scopes = Uint32Array.from({ length: ROWS + 1 }, (_, id) => id % SCOPES);

it("gives the same rows of every term, however little it may keep", () => {
  const [COLUMNS, WORDS] = [5, 2];
  const indexed = {
    snapshot: <T>(work: () => T) => work(),
    get: () => undefined, // No index whose pages could be read.
    ids: (_: string, term: string) => idsOf(term).map((id) => id * COLUMNS + WORDS),
  } as unknown as Connection;
  const postings = new Postings(indexed, 40_000);
  const room = new UnpackedRows();
  const unpacked = (rows: PackedRows) => {
    rows.unpack(room);
    return [...room.ids.subarray(0, room.length)];
  };
  let upTo = ROWS / 2;
  let random = 7;
  const next = (below: number) => {
    random = (random * 48_271) % 2_147_483_647;
    return random % below;
  };
  for (let question = 0; question < 300; question++) {
    for (let nth = 0; nth < 6; nth++) {
      const term = TERMS[next(TERMS.length)] as string;
      const number = next(SCOPES);
      const all = idsOf(term, upTo);
      if (next(3) === 0) expect(unpacked(postings.of(term, false, upTo))).toEqual(all);
      // A rare one's are given whole.
      const given = unpacked(postings.within({ number, scopes }, term, false, upTo));
      expect(given.filter((id) => scopes[id] === number)).toEqual(all.filter((id) => scopes[id] === number));
    }
    if (question % 50 === 49) {
      const [from, to] = [upTo, upTo + 1000];
      const since = (key: string) => idsOf(key.slice(1), to).filter((id) => id > from);
      const once = packed(FIELD_WEIGHTS.words);
      postings.extend((key) => ({ ids: since(key), impacts: since(key).map(() => once) }), scopes);
      upTo = to;
    }
    if (question === 170) postings.forget();
  }
});
