// Endings of Korean nouns: particles, and endings that make a verb. Longest first.
const ENDINGS = `
  하였습니다 되었습니다 했습니다 됐습니다 합니다 됩니다 입니다 하였다 되었다 하려면 하도록 되도록 하면서 하거나 되거나 이라고 이라는
  에서는 에서도 에서의 으로는 으로도 으로의 으로서 으로써 에게서 에게는 까지는 까지도 부터는 이지만 하지만 했다 됐다 한다 된다 하는 되는 하기 되기
  하고 되고 하게 되게 하지 되지 하면 되면 해서 돼서 해야 돼야 하여 되어 이다 이며 이고 이나 이란 라는 라고 에는 에도 에서 에게 에만 와의 과의
  와는 과는 로는 로도 로의 로서 로써 으로 한테 부터 까지 보다 처럼 마다 조차 밖에 만을 만이 만은 들은 들이 들을 들의 할 한 될 된 함 됨
  은 는 이 가 을 를 에 의 와 과 도 만 로 나 들`
  .trim()
  .split(/\s+/);
const LONGEST = Math.max(...ENDINGS.map((ending) => ending.length));
const KNOWN = new Set(ENDINGS);
const HANGUL = /^[\p{Script=Hangul}]{3,}$/u;

/** Removes a Korean word's ending, if two syllables remain; otherwise undefined. */
export function koreanStem(word: string): string | undefined {
  if (!HANGUL.test(word)) return undefined;
  for (let length = Math.min(LONGEST, word.length - 2); length > 0; length -= 1) {
    if (KNOWN.has(word.slice(-length))) return word.slice(0, -length);
  }
  return undefined;
}
