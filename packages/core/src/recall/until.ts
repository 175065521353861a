/**
 * Returns the result of `work`, or undefined once the signal aborts: pending work gets the signal, but is not awaited.
 */
export async function until<T>(ended: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  let onEnd = () => {};
  const late = new Promise<undefined>((resolve) => {
    onEnd = () => resolve(undefined);
    if (ended.aborted) onEnd();
    ended.addEventListener("abort", onEnd, { once: true });
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    ended.removeEventListener("abort", onEnd);
  }
}
