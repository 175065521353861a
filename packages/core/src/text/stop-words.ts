import { foldHan } from "./fold-han.ts";

// Includes `near`, `and`, `or`, `not`, so that a query in operator syntax reads as text; each still finds itself alone.
const ENGLISH = `
  a an the and or not nor but if then else than so as at by for from in into of on onto to with without within about near
  i me my we us our you your he him his she her it its they them their this that these those there here
  is am are was were be been being do does did doing done has have had having can could may might must shall should will would
  what which who whom whose when where why how all any both each some such no only own same too very just also
  because while during through please tell show let get got
  s t d m ll re ve don didn doesn isn aren wasn weren couldn shouldn wouldn hasn haven hadn`;

const JAPANESE = `
  は が を に へ と で の も や か ね よ わ ぞ な から まで より など だけ しか ほど くらい ぐらい ばかり こそ さえ でも ても
  ので のに けど けれど けれども です ます でした ました ません だ だった である する した して すれ される された いる いた
  いて ある あった なる なった なっ れる られる れ られ て た し い こと もの ため よう これ それ あれ この その あの どの ここ
  そこ どこ なに なぜ どう いつ ください について という として において および また そして しかし`;

const CHINESE = `
  的 了 是 在 和 与 或 就 都 也 而 及 着 吗 呢 吧 啊 这 那 这个 那个 这些 那些 我 你 他 她 它 我们 你们 他们 什么 怎么 怎样
  如何 哪里 哪个 请 把 被 让 给 从 到 为 以 于 之 其 但 但是 因为 所以 如果 可以 会 要 很 还 一个 一些 有 地 得 個 這 這個 們
  嗎 為 為什麼 为什么 甚麼 什麼 怎麼 與 還 從 讓 給`;

const KOREAN = `
  은 는 이 가 을 를 에 에서 에게 께 한테 로 으로 와 과 하고 도 만 의 부터 까지 보다 처럼 마다 조차 나 이나 그리고 그러나
  하지만 또는 및 그 저 이것 그것 저것 이런 그런 우리 무엇 뭐 왜 어떻게 언제 어디 누구 있다 있는 하다 하는 한 된 되는 되다
  입니다 합니다 합니까 것 수 등 때문에`;

/** Words too common to search for, in English, Japanese, Chinese and Korean; lower case, Han characters in one form. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  [ENGLISH, JAPANESE, CHINESE, KOREAN].flatMap((list) => foldHan(list).trim().split(/\s+/)),
);
