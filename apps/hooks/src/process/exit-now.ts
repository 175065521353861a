/**
 * Ends this process now, and well. An ordinary end waits for what the system's own threads are at: a name that takes half
 * a minute to resolve.
 */
export function leave(): void {
  try {
    // Another program in this one's place: from Node 24 on, and not on Windows.
    process.execve?.("/bin/sh", ["sh", "-c", ":"], {});
  } catch {
    // Then as soon as the threads are done; the agent itself waits five seconds at most.
  }
  process.exit(0);
}
