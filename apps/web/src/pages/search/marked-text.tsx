interface MarkedTextProps {
  readonly children: string;
  readonly query: string | undefined;
}

/** Text with the words that were asked for marked. */
export const MarkedText = ({ children, query }: MarkedTextProps) =>
  query === undefined
    ? children
    : marked(children, query).map(({ said, isMarked }, at) => {
        const key = `${at} ${isMarked}`;
        return isMarked ? <mark key={key}>{said}</mark> : <span key={key}>{said}</span>;
      });

/** Part of a text, and whether the query asked for it. */
interface Part {
  readonly said: string;
  readonly isMarked: boolean;
}

const words = new Intl.Segmenter(undefined, { granularity: "word" });
const ASCII_ONLY = /^[\x20-\x7e]+$/;
/** Shorter English words are of no interest in a text. */
const LEAST_ASCII = 3;
/** Words of one stem share this much at least, and differ by an ending no longer than that. */
const [LEAST_STEM, MOST_ENDING] = [4, 3];

/** Splits a text where it has words of a query; `deploys` is found by `deployed`. */
export function marked(text: string, query: string): readonly Part[] {
  const wanted = [...words.segment(query.toLowerCase())]
    .filter(({ segment, isWordLike }) => isWordLike && isTelling(segment))
    .map(({ segment }) => segment);
  if (wanted.length === 0) return [{ said: text, isMarked: false }];
  const parts: { said: string; isMarked: boolean }[] = [];
  for (const { segment, isWordLike } of words.segment(text)) {
    const isMarked = isWordLike === true && wanted.some((word) => isLike(segment.toLowerCase(), word));
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) last.said += segment;
    else parts.push({ said: segment, isMarked });
  }
  return parts;
}

const isTelling = (word: string): boolean => !ASCII_ONLY.test(word) || word.length >= LEAST_ASCII || /\d/.test(word);

function isLike(word: string, wanted: string): boolean {
  if (word === wanted) return true;
  const [short, long] = word.length < wanted.length ? [word, wanted] : [wanted, word];
  if (!ASCII_ONLY.test(short)) return short.length > 1 && long.startsWith(short);
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  return shared >= LEAST_STEM && long.length - shared <= MOST_ENDING && short.length - shared <= MOST_ENDING;
}
