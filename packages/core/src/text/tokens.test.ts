import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens, leastTokens, MARGIN } from "./tokens.ts";

const PROSE = {
  English:
    "The nightly export opens one cursor per account and reads five hundred rows at a time. It used to join all rows into a single string, which failed for large customers once the text grew beyond half a gigabyte. Whoever changes the page size has to change the timeout of the proxy as well; otherwise the gateway closes the connection in the middle of a page and the file arrives without its last rows.",
  Japanese:
    "夜間のエクスポートは、口座ごとにカーソルを一つ開き、五百行ずつ読み込みます。以前はすべての行を一つの文字列につないでいたため、大口のお客様ではメモリが足りなくなっていました。ページの大きさを変えるときは、プロキシのタイムアウトも合わせて変更してください。そうしないと、途中で接続が切れて、最後の行が欠けたファイルが届きます。",
  Chinese:
    "夜间导出任务会为每个账户打开一个游标，每次读取五百行。以前它把所有行拼接成一个字符串，数据量大的客户因此会内存不足。如果要修改每页的大小，请同时修改代理服务器的超时时间，否则网关会在传输途中断开连接，收到的文件就会缺少最后几行。另外，时区必须在打开游标之前设置，否则读取的日期会相差一天。",
  Korean:
    "야간 내보내기는 계정마다 커서를 하나씩 열고 한 번에 오백 행을 읽습니다. 예전에는 모든 행을 하나의 문자열로 이어 붙였기 때문에 규모가 큰 고객의 경우 메모리가 부족했습니다. 페이지 크기를 바꿀 때는 프록시의 제한 시간도 함께 바꿔야 합니다. 그렇지 않으면 전송 도중에 연결이 끊겨 마지막 행이 빠진 파일을 받게 됩니다.",
};
const RARE_NAMES =
  "Szymańska's Nextcloud on vondelstraat-3 mirrors the Kyivstar range; Oyelaran and Tshabalala hold the PagerDuty rota. The Ljubljana Postgres is called brdavs, the Reykjavík one hrafn; Guðmundsdóttir restores them. Karlheinz Wojciechowski moved tapirhost, quokkanet and axolotl-ci to Hetzner FSN1-DC14. Ask Thandiwe Mkhize about the Yggdrasil cluster, Bjørn Håkonsen about the peers vpn-osl-7 and vpn-trd-2.";
const RUSSIAN =
  "Платёжный сервис использует PostgreSQL 15 и делает резервную копию каждый день в три часа ночи. Перед развёртыванием обязательно прогнать миграцию на тестовом стенде. Иванова перенесла очередь на новый брокер.";
const PATHS =
  "src/payments/webhooks/verify-signature.ts reads STRIPE_WEBHOOK_SECRET. Commit 9f2c1ab7e4d8 of feature/PAY-4821 broke checkout_v2. It failed with ERR_PAY_TIMEOUT after 30000 ms, see trace 4bf92f3577b34da6a3ce929d0e0e4736.";
const asBriefing = (text: string) =>
  text
    .split(/(?<=[.。])/)
    .map((line, at) => `- [memory:${410 + at}] (learning, acme-api, 2026-03-1${at}) ${line.trim()}`)
    .join("\n");
const TEXTS: readonly (readonly [string, string])[] = Object.entries(PROSE).flatMap(([language, content]) => [
  [language, content],
  [`a briefing in ${language}`, asBriefing(content)],
  [`JSON in ${language}`, JSON.stringify({ id: 41, layer: "learning", content })],
]);
const source = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

describe("an estimate of tokens is within a tenth of what o200k counts", () => {
  it.each([
    ...TEXTS,
    ["a briefing full of rare names", asBriefing(RARE_NAMES)],
    ["a briefing in Russian", asBriefing(RUSSIAN)],
    ["a briefing full of paths and codes", asBriefing(PATHS)],
    ["TypeScript", source("./segment.ts")],
    ["a test in TypeScript", source("./tokens.test.ts")],
    ["a guide in Markdown", source("../../../../docs/hooks.md")],
    ["SQL", source("../../../../prisma/sqlite/migrations/1000_init/migration.sql")],
  ] satisfies typeof TEXTS)("for %s", (_, text) => {
    const counted = countTokens(text);
    expect(Math.abs(estimateTokens(text) / counted - 1)).toBeLessThan(0.1);
  });
});

/** Sentences and signs that no cost was fitted to in detail. */
const OTHERS = {
  Greek: "Οι αποθήκες στέλνουν αναφορές στους πελάτες κάθε πρωί, πριν ανοίξουν τα ταμεία.",
  Armenian: "Պահեստը ամեն առավոտ հաշվետվություններ է ուղարկում հաճախորդներին։",
  Hebrew: "המחסן שולח דוחות ללקוחות בכל בוקר. שירות התשלומים מקבל רק בקשות חתומות.",
  Arabic: "المستودع يرسل التقارير إلى العملاء كل صباح. تقبل خدمة الدفع الطلبات الموقعة فقط.",
  Persian: "انبار هر روز صبح گزارش‌ها را برای مشتریان می‌فرستد.",
  Hindi: "गोदाम हर सुबह ग्राहकों को रिपोर्ट भेजता है। हर रिलीज़ से पहले हम परीक्षण चलाते हैं।",
  Bengali: "গুদাম প্রতিদিন সকালে গ্রাহকদের প্রতিবেদন পাঠায়।",
  Punjabi: "ਗੋਦਾਮ ਹਰ ਸਵੇਰ ਗਾਹਕਾਂ ਨੂੰ ਰਿਪੋਰਟਾਂ ਭੇਜਦਾ ਹੈ।",
  Gujarati: "ગોદામ દરરોજ સવારે ગ્રાહકોને અહેવાલ મોકલે છે.",
  Tamil: "கிடங்கு ஒவ்வொரு காலையும் வாடிக்கையாளர்களுக்கு அறிக்கைகளை அனுப்புகிறது.",
  Telugu: "గిడ్డంగి ప్రతి ఉదయం వినియోగదారులకు నివేదికలను పంపుతుంది.",
  Kannada: "ಗೋದಾಮು ಪ್ರತಿದಿನ ಬೆಳಿಗ್ಗೆ ಗ್ರಾಹಕರಿಗೆ ವರದಿಗಳನ್ನು ಕಳುಹಿಸುತ್ತದೆ.",
  Malayalam: "വെയർഹൗസ് എല്ലാ ദിവസവും രാവിലെ ഉപഭോക്താക്കൾക്ക് റിപ്പോർട്ടുകൾ അയയ്ക്കുന്നു.",
  Sinhala: "ගබඩාව සෑම උදෑසනකම පාරිභෝගිකයින්ට වාර්තා යවයි.",
  Thai: "คลังสินค้าส่งรายงานให้ลูกค้าทุกเช้า บริการชำระเงินรับเฉพาะคำขอที่ลงนามแล้ว",
  Lao: "ສາງສົ່ງລາຍງານໃຫ້ລູກຄ້າທຸກເຊົ້າ",
  Burmese: "ဂိုဒေါင်သည် နံနက်တိုင်း ဖောက်သည်များထံ အစီရင်ခံစာများ ပို့သည်။",
  Georgian: "საწყობი ყოველ დილით აგზავნის ანგარიშებს მომხმარებლებთან.",
  Amharic: "መጋዘኑ በየማለዳው ሪፖርቶችን ለደንበኞች ይልካል።",
  Khmer: "ឃ្លាំងផ្ញើរបាយការណ៍ទៅអតិថិជនរៀងរាល់ព្រឹក។",
  Vietnamese: "Kho hàng gửi báo cáo cho khách hàng mỗi buổi sáng.",
  Korean: "창고 열쇠는 안내대 서랍에 있다. 결제 서비스는 서명된 요청만 받는다.",
  emoji: "🚀 shipped, 🐛 found, 💥 broke, 👩🏽‍💻 mended it ✅ 🎉🎉",
  mathematics: "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋ ≠ ∅, ∑ ≤ ∏, √2 ≈ 1.41",
  boxes: "┌──┬──┐\n│a │b │\n└──┴──┘ ░▒▓█",
  "rare Han": "𠮷野家と𩸽の骨",
};

it.each(Object.entries(OTHERS))("is not below what o200k counts by more than its margin: %s", (_, text) => {
  const several = Array(4).fill(text).join("\n");
  expect(estimateTokens(several) * MARGIN).toBeGreaterThanOrEqual(countTokens(several));
  expect(estimateTokens(several)).toBeLessThan(1.6 * countTokens(several));
});

it.each([
  ["", 0],
  [" ", 0],
  ["a", 1],
  ["deploy", 1],
  ["データベース", 5],
  ["배포 실패", 4],
])("counts %j as %i", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

it("has a lower bound that no text is below", () => {
  const longest = ["x", " ", "\n", "-", "7", "漢", "ア", "한", "я", "\u{1F600}"].map((each) => each.repeat(5000));
  for (const text of [...longest, ...Object.values(PROSE)])
    expect(estimateTokens(text), text.slice(0, 1)).toBeGreaterThanOrEqual(leastTokens(text));
});
