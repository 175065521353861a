import { foldHan } from "./fold-han.ts";

// Question words. Unlike stop words they are indexed, with their stems.
const ENGLISH = `
  someone somebody anyone anybody everyone everybody something anything everything already ever yet again still maybe soon
  thing things way actually really happen happens want need know`;

// The last ones are fragments of endings.
const JAPANESE = `
  どうやって どうして どれくらい どのくらい いつ いくら いくつ どれ どちら どっち どんな 誰 誰か 何 何か 何時 何分 何日 何年 何人 何個 何回 何件
  なん なんで 何で 教え 教えて 知り たい とき ときの なら ほう ほうが よく うち いい まま だろう でしょう
  って てい え さ っ ば め くだ さい しょう っけ だっけ 何だ かな`;

const CHINESE = `
  多久 多少 多少钱 多长 几 几个 几点 几天 几次 几时 谁 哪 哪儿 哪些 哪里 哪位 哪种 哪天 何时 何处 为何 为啥 啥 咋 嘛 干嘛 怎么办 怎么样 什么时候 请问 告诉
  是否 能 能不能 是不是 有没有 会不会 要不要 到底 一下 时候 的时候 的话 用的 的是 还是 后来`;

const KOREAN = `
  몇 뭘 뭔 뭔가 뭔지 뭔가요 뭡니까 뭐라고 뭐였더라 누가 누굴 누군 누군지 누군가 누군가요 언젠지 어딘지 어딘가요 어딨어 어딨어요 어딨지 어딨나요
  얼마나 얼만지 무슨 어느 어떤 어떤가요 어떤지 어때 어때요 어떡해 어디서 왜요 왜지 왜죠 왜야 나요 하나요 되나요 인가요 되나 했지 할까 할까요 될까요
  하지 하면 하죠 되죠 해요 돼요 합니까 됩니까 해야 있어 있어요 있나 있나요 있지 있죠 있습니까 없어 없어요 없나요 이유가 그냥 좀 그래
  알려줘 알려줘요 알려주세요 알려 주세요 가르쳐줘 가르쳐주세요 말해줘 말해주세요 궁금해 궁금해요`;

/** Korean question words for a thing, person, time, place and amount, with the endings that close a question. */
const ASKED = ["뭐", "무엇", "누구", "언제", "어디", "얼마"];
const ENDINGS = `
  야 이야 예요 에요 이에요 여요 지 죠 니 냐 래 인가 인가요 인지 일까 일까요 입니까 이지 이죠 였지 였죠 였나 였나요 였더라 더라
  가 를 을 에 에서 에게 한테 로 의 랑 부터 까지 쯤 든지`;

const wordsOf = (list: string): string[] => foldHan(list).trim().split(/\s+/);

/** Words that form a question without naming its subject; lower case, Han characters in one form. */
export const QUESTION_WORDS: ReadonlySet<string> = new Set([
  ...[ENGLISH, JAPANESE, CHINESE, KOREAN].flatMap(wordsOf),
  ...ASKED.flatMap((request) => [request, ...wordsOf(ENDINGS).map((ending) => request + ending)]),
]);
