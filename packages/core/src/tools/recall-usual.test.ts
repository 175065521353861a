import { anAgent, engineFixture, testEngine } from "@chest/testing";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { recall } from "./recall.ts";

interface Answer {
  readonly count: number;
  readonly total_candidates: number;
  readonly has_more: boolean;
  readonly memories: readonly { readonly id: number; readonly content: string; readonly match: string }[];
  readonly weak?: readonly { readonly id: number; readonly content: string }[];
}

describe("a recall that says only what it looks for", () => {
  const fixture = engineFixture(({ clock }) => testEngine({ clock }));
  const agentWith = async (...contents: readonly string[]) => {
    const agent = anAgent(fixture);
    const ids: number[] = [];
    for (const content of contents) ids.push(await agent.store(content));
    return { ids, ask: (input: object) => agent.call(recall.name, { explain: false, ...input }) as Promise<Answer> };
  };

  it("gets eight memories at most, and goes on by `offset`", async () => {
    const { ids, ask } = await agentWith(
      ...Array.from({ length: 20 }, (_, at) => `Gate ${at} of the weir opens at dawn.`),
    );
    const first = await ask({ query: "weir gate dawn" });
    expect(first).toMatchObject({ count: 8, total_candidates: 20, has_more: true });
    const rest = await ask({ query: "weir gate dawn", offset: 8 });
    expect([...first.memories, ...rest.memories].map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect(await ask({ query: "weir gate dawn", limit: 20 })).toMatchObject({ count: 20 });
  });

  it.each([
    ["why does the dev server refuse port 5173?", "The dev server refuses port 5173 when the proxy holds it."],
    ["なぜ開発サーバーはポート5173で起動しないのですか", "開発サーバーはプロキシがポート5173を使うと起動しない。"],
    ["为什么开发服务器在端口5173启动失败?", "开发服务器在端口5173启动失败,因为代理占用了它。"],
    ["개발 서버가 포트 5173에서 왜 시작되지 않나요?", "개발 서버는 프록시가 포트 5173을 쓰면 시작되지 않는다."],
  ])("gets what answers before what only asks: %s", async (question, fact) => {
    const { ids, ask } = await agentWith(question, fact);
    expect((await ask({ query: question })).memories[0]?.id).toBe(ids[1]);
  });

  it.each(["PAY-4412", "src/ledger/close.ts", "closeLedgerDay"])(
    "gets of %s only what holds it",
    async (identifier) => {
      const { ids, ask } = await agentWith(
        `The nightly close calls ${identifier} twice.`,
        "The nightly close of the ledger is slow since the payment moved.",
        "src and ledger are mentioned, and close, and a day, and PAY.",
      );
      expect((await ask({ query: identifier })).memories.map(({ id }) => id)).toEqual([ids[0]]);
    },
  );

  it.each(["list", "raw", "index", "answer", "summary", undefined])(
    "keeps a budget in the format %s",
    async (format) => {
      const prose = [
        "The importer reads every ledger line twice, because the first pass only counts what the second one stores.",
        "取引の取り込みは毎晩二時に始まり、台帳の各行を二度読み、最初は数えるだけで、二度目に保存します。",
        "导入程序每晚两点开始,读取账本的每一行两次,第一次只计数,第二次才保存。",
        "가져오기는 매일 밤 두 시에 시작되어 원장의 각 줄을 두 번 읽고, 처음에는 세기만 하고 두 번째에 저장한다.",
        "Η αποθήκη διαβάζει κάθε γραμμή δύο φορές, γιατί την πρώτη φορά μόνο μετράει και τη δεύτερη αποθηκεύει.",
        "המחסן קורא כל שורה פעמיים, כי בפעם הראשונה הוא רק סופר ובשנייה הוא שומר.",
        "መጋዘኑ እያንዳንዱን መስመር ሁለት ጊዜ ያነባል። መጀመሪያ ይቆጥራል፣ ከዚያ ያስቀምጣል።",
        "🚀 shipped ✅ 🐛 mended 💥 ∑ ≤ ∏ and was ⏱ late, so ☕ it ≠ 🎉. ",
      ];
      const contents = [1, 2, 6, 14, 30].flatMap((times) =>
        prose.map((each, at) => `${times}.${at} ${each.repeat(times)}`),
      );
      const { ask } = await agentWith(...contents);
      const questions = [
        "importer ledger line",
        "台帳 取り込み",
        "导入 账本",
        "원장 가져오기",
        "αποθήκη γραμμή",
        "מחסן שורה",
        "መጋዘኑ መስመር",
        "🚀",
      ];
      const unanswered = "which colour does the reader of the second window have";
      for (const query of [...questions, unanswered])
        for (const max_tokens of [100, 200, 500, 800, 2000]) {
          const answer = await ask({ query, max_tokens, ...(format && { format }) });
          expect(answer.count + (answer.weak?.length ?? 0)).toBeGreaterThan(0);
          expect([max_tokens, countTokens(recall.text(answer as never))]).toSatisfy(
            ([most = 0, tokens = 0]) => tokens <= 1.03 * most,
          );
        }
    },
  );
});
