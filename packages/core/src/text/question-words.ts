import { foldHan } from "./fold-han.ts";

// Words that questions are made with. Unlike stop-words they are indexed, with their stems.
const ENGLISH = `
  someone somebody anyone anybody everyone everybody something anything everything already ever yet again still maybe soon
  thing things way actually really happen happens want need know`;

// The last ones are what the dictionary leaves of endings.
const JAPANESE = `
  どうやって どうして どれくらい いつ 誰 何 なん とき ときの なら ほう ほうが よく うち いい まま って てい え さ っ ば め`;

const CHINESE = `
  多久 多少 几 谁 哪 哪儿 哪些 为啥 啥 能 能不能 是不是 有没有 会不会 要不要 到底 一下 时候 的时候 的话 用的 的是 还是 后来`;

const KOREAN = `
  몇 뭘 뭔 누가 누구를 얼마 얼마나 무슨 어느 어떤 어디서 어디에 나요 하나요 되나요 인가요 되나 했지 할까 하지 하면 해야 뭐였더라
  있어 있어요 없어 이유가 그냥 좀`;

/** Words of a question that say how it is asked, not what about; lower case, Han characters in one form. */
export const QUESTION_WORDS: ReadonlySet<string> = new Set(
  [ENGLISH, JAPANESE, CHINESE, KOREAN].flatMap((list) => foldHan(list).trim().split(/\s+/)),
);
