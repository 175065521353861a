const SENTENCE_END = /(?<=[.!?。！？])\s*(?=\S)|\n+/u;
const ENDS_ASKING =
  /[?？]["'”」）)]*\s*$|(?:か|かな|かしら)[。.]?\s*$|(?:吗|呢)[。.]?\s*$|(?:까|나요|는가|은가요|을까요)[.。]?\s*$/u;
/** The beginning of a question that lacks its question mark. */
const BEGINS_ASKING =
  /^(?:(?:and|but|so|ok|hey|hi|please)[,\s]+)*(?:why|how|what|where|when|who|which|can|could|should|would|is|are|do|does|did|has|have)\s+(?:i|you|we|it|they|he|she|the|this|that|there|these|those|my|our|your|do|does|did|is|are|was|were|can|could|should|would|to|now|about)\b[^.!:]*$/i;
const TRAILS_OFF = /\b(?:what now|any ideas?|how come|what(?:['’]s| is) wrong|help)\s*$/i;

/** Whether every sentence of a text is a question. */
export function onlyAsks(text: string): boolean {
  const sentences = text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
  return sentences.length > 0 && sentences.every(asks);
}

const asks = (sentence: string): boolean =>
  ENDS_ASKING.test(sentence) || BEGINS_ASKING.test(sentence) || TRAILS_OFF.test(sentence);
