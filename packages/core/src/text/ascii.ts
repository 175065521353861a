const NOT_ASCII = /[^\0-\x7f]/;

/** Whether Unicode's tables may be left alone, which take a process its first milliseconds and every text some time. */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}
