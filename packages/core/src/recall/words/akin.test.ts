import { expect, it } from "vitest";
import { isAkin, partsOfAkin } from "./akin.ts";

const PAIRS = [
  ["datenbankverbindung", "datenbank"],
  ["lieferscheinnummer", "lieferschein"],
  ["datenbankverbindung", "verbindung"],
  ["rechnungsempfängeradresse", "empfänger"],
  ["الحرية", "حرية"],
  ["شاحنات", "شاحنة"],
  ["המשלוחים", "משלוח"],
  ["תעודות", "תעודה"],
  ["والحرية", "حرية"],
  ["τιμολόγιο", "τιμολογίου"],
  ["δικαίωμα", "δικαιώματος"],
  ["договора", "договором"],
  ["移行", "移"],
  ["อิสรภาพ", "อิสร"],
] as const;

it.each(PAIRS)("%s is akin to %s, both ways where both are words, and its row is found", (term, word) => {
  expect(isAkin(term, word)).toBe(true);
  expect(partsOfAkin(word).some((part) => term.includes(part))).toBe(true);
  if (word.length > 1) expect(isAkin(word, term)).toBe(true);
});

it.each([
  ["report", "port"],
  ["catalogue", "log"],
  ["verbindung", "verbinden"],
  ["provisioning", "vision"],
  ["مكتبة", "كتاب"],
  ["авария", "договор"],
  ["移行", "移動"],
  ["e12345", "e1234"],
  ["same", "same"],
])("%s is not akin to %s", (term, word) => {
  expect(isAkin(term, word)).toBe(false);
});

it("looks for nothing by a short word, an identifier or a number", () => {
  for (const word of ["log", "v8.14", "e_conn", "1234", "deploy-rule", "x1"]) expect(partsOfAkin(word)).toEqual([]);
});
