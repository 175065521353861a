import { describe, expect, it } from "vitest";
import { marksLike, marksOf, statementsIn, withoutForgotten } from "./tombstone.ts";

const SECRET = "a secret of this store";
/** Whether the tombstone of one text matches another text. */
function isKnown(forgotten: string, said: string, secret = SECRET): boolean {
  const marks = new Set(marksOf(forgotten, SECRET).map(({ hash, facts }) => `${hash} ${facts}`));
  return statementsIn(said)
    .flatMap((each) => marksLike(each, secret))
    .some(({ hash, facts }) => marks.has(`${hash} ${facts}`));
}

describe("what was forgotten is known again", () => {
  it.each([
    ["Run each migration twice before a release.", "run  every migration twice, before a release!"],
    ["The importer reads the manifests in order", "The importer read the manifest in order."],
    [
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the ledger always runs on the replica in Frankfurt and needs two hours",
    ],
    [
      "The nightly export of the ledger always runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
    ],
    ["キャッシュは テナントごとに 分ける。", "キャッシュはテナントごとに分ける"],
    ["今後は金額を銭の整数で保存します。", "今後は金額を銭の整数で保存する"],
    ["古い鍵は二度と使わない。", "古い鍵は二度と使いません。"],
    ["앞으로 배포 전에 항상 로그를 압축합니다.", "앞으로 배포 전에 항상 로그를 압축한다"],
    ["금요일에는 배포하지 마세요.", "금요일에는 배포하지 마라."],
    ["缓存必须按租户分开。", "缓存必须按租户分开"],
    ["캐시는 테넌트마다 나눈다.", "캐시는 테넌트마다 나눈다"],
    [
      "The cache key lacks the tenant. It is made in `key.ts`.",
      "Found it. The cache key lacks the tenant. It is made in `key.ts`. Next I fix it.",
    ],
    ["From now on never deploy on a Friday.", "from now on never deploy on a friday"],
    ["Releases go through make ship.", "The releases go through `make ship`."],
    ["배포는 `infra/`에서 한다.", "배포는 infra/에서 한다"],
    ["The lock is held by the importer", "Mended by editing lock.ts: The lock is held by the importer."],
  ])("%s — %s", (forgotten, said) => {
    expect(isKnown(forgotten, said)).toBe(true);
  });
});

describe("another statement is not", () => {
  it.each([
    ["Jobs are retried 3 times", "Jobs are retried 4 times"],
    ["The importer waits for the indexer", "The indexer waits for the importer"],
    ["The server binds to port -1", "The server binds to port 1"],
    [
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the ledger never runs on the replica in Frankfurt and needs two hours",
    ],
    [
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the ledger rarely runs on the replica in Frankfurt and needs two hours",
    ],
    [
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the books runs on the replica in Frankfurt and needs two hours",
    ],
    ["The cache is shared", "Is the cache shared?"],
    ["The cache key lacks the tenant. It is made in `key.ts`.", "The cache key lacks the tenant."],
    ["キャッシュは分ける", "キャッシュは分けない"],
    ["キャッシュは分けます。", "キャッシュは分けました。"],
    ["로그를 압축합니다.", "로그를 압축하지 않습니다."],
    ["...", "..."],
  ])("%s — %s", (forgotten, said) => {
    expect(isKnown(forgotten, said)).toBe(false);
  });

  it("without the secret nothing can be tried out", () => {
    expect(isKnown("The cache is shared", "The cache is shared", "another secret")).toBe(false);
    const told = JSON.stringify(marksOf("The cache of heron is shared", SECRET));
    expect(told).not.toMatch(/cache|heron|share/i);
  });
});

it.each([
  [
    "Asked for: 今後は、金額を銭の整数で保存してください",
    "金額を銭の整数で保存して。",
    "Asked for: 今後は、[forgotten]",
  ],
  [
    "It learned: 로그를 두 번 압축한다. 그리고 지운다.",
    "로그를 두 번 압축합니다",
    "It learned: [forgotten] 그리고 지운다.",
  ],
])("what was forgotten in another form is left out, too: %s", (text, forgotten, shown) => {
  const marks = new Set(marksOf(forgotten, SECRET).map(({ hash, facts }) => `${hash} ${facts}`));
  expect(withoutForgotten(text, SECRET, ({ hash, facts }) => marks.has(`${hash} ${facts}`))).toBe(shown);
});

it("a text is shown without what was forgotten, whatever stands around it", () => {
  const marks = marksOf("The cache key lacks the tenant. It is made in `key.ts`.", SECRET);
  const isForgotten = ({ hash, facts }: { hash: string; facts: string }) =>
    marks.some((mark) => mark.hash === hash && mark.facts === facts);
  const shown = (text: string) => withoutForgotten(text, SECRET, isForgotten);
  expect(
    shown(
      "A session began with: why is it slow?\nIt learned: The cache key lacks the tenant. It is made in `key.ts` | We use pnpm",
    ),
  ).toBe("A session began with: why is it slow?\nIt learned: [forgotten] | We use pnpm");
  expect(shown("The cache key lacks the tenant.")).toBe("The cache key lacks the tenant.");
  expect(shown("")).toBe("");
});

it.each([
  ["Asked for: mend it, the importer needs four workers", "Asked for: mend it, [forgotten]"],
  ["Olga wrote “The importer needs four workers” in the channel.", "Olga wrote “[forgotten]” in the channel."],
  ["> The importer needs four workers.", "> [forgotten]"],
  ["**Note:** the importer needs four workers – since May", "**Note:** [forgotten] – since May"],
  ["So the importer needs four workers.", "So [forgotten]"],
  ["The importer needs fourteen workers, not two", "The importer needs fourteen workers, not two"],
])("a statement that is quoted inside a sentence is left out, too: %s", (text, shown) => {
  const marks = marksOf("The importer needs four workers.", SECRET);
  const isForgotten = ({ hash, facts }: { hash: string; facts: string }) =>
    marks.some((mark) => mark.hash === hash && mark.facts === facts);
  expect(withoutForgotten(text, SECRET, isForgotten)).toBe(shown);
});
