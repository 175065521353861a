/** Characters and words with a meaning in full-text search engines or SQL. */
const OPERATORS = `
" "" """ "harbour harbour" ' '' \` ( ) () (((((((((( * ** ^ - -- + : :: , ; . ? ! / \\ | & ~ @ # $ = < > { } [ ]
AND OR NOT NEAR NEAR( NEAR() NEAR(harbour harb* ^harbour words:harbour scope:team % _ %% 50% h_rbour %harbour%
null undefined NaN true 0 -1 1e999 \\u0000
`;

const CLAUSES = `
AND AND
OR OR
NOT NOT
AND OR NOT NEAR
harbour AND
OR crane
NOT harbour
NEAR(harbour crane, 2)
harbour + crane
words : harbour
{words grams} : harbour
- words : harbour
scope : team
title:x OR tags:y
rank MATCH 'bm25'
'; DROP TABLE memories; --
" OR 1=1 --
/* x */
`;

/** Characters that are no letter, half of a letter, or change their length when folded. */
const CHARACTERS = [
  "\0",
  "har\0bour",
  "\ud800",
  "\udc00\ud800",
  "\ufffd",
  "\u200b",
  "\u202e",
  "\n",
  "\r\n\t",
  " ",
  "e\u0301",
  "é",
  "👩‍👩‍👧",
  "漢",
  "ー",
  "ﷺ",
  "İ",
  "ß",
  "ǆ",
  "𝕙𝕒𝕣𝕓𝕠𝕦𝕣",
];

export const ODD_QUERIES: readonly string[] = [
  ...OPERATORS.trim().split(/\s+/),
  ...CLAUSES.trim().split("\n"),
  ...CHARACTERS,
];

/** Far longer than the part of a query that is used. */
export const LONG_QUERIES: Readonly<Record<string, string>> = {
  "10,000 words": Array.from({ length: 10_000 }, (_, at) => `word${at}`).join(" "),
  "10,000 times one word": "harbour ".repeat(10_000),
  "10,000 operators": "AND OR NOT NEAR( ".repeat(2500),
  "a word of 100,000 letters": "w".repeat(100_000),
  "a Chinese text of 55,000 letters": "港口起重机每年春天检查".repeat(5000),
  "100,000 quotes": '"'.repeat(100_000),
  "100,000 brackets": "(".repeat(100_000),
  "100,000 combining accents": `e${"\u0301".repeat(100_000)}`,
};
