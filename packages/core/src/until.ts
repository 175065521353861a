/** What `work` gives, or undefined once a signal ends it: what hangs is told, and not waited for. */
export function until<T>(ended: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => {
    if (ended.aborted) resolve(undefined);
    ended.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([work(), late]);
}
