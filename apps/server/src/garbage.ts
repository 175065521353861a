import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const LOOK_MS = 3000;
/** Share of its time that a quiet backend works. */
const QUIET = 0.05;
// Collecting takes 0.1 s of processor time, and a hundred recalls leave some 8 MB.
const WORTH_BYTES = 12 * 1024 * 1024;

/**
 * Collects garbage when the event loop has been quiet for a moment. V8 collects only as its heap grows, up to four times what
 * is alive: after a burst of recalls, 30 to 60 MB of garbage stayed until there were more of them.
 */
export function collectWhenQuiet({ lookMs = LOOK_MS, worthBytes = WORTH_BYTES } = {}): { stop(): void } {
  const collect = collector();
  let kept = 0;
  let before = performance.eventLoopUtilization();
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > QUIET || heapUsed() - kept < worthBytes) return;
    // A regular collection keeps the pages it has emptied.
    collect({ flavor: "last-resort" });
    kept = heapUsed();
  }, lookMs);
  looking.unref();
  return { stop: () => clearInterval(looking) };
}

/** `process.memoryUsage` opens a file for it, and throws where the process may open no more. */
const heapUsed = (): number => getHeapStatistics().used_heap_size;

/** V8's `gc`, without a flag that every way to start a backend would have to give to Node. */
function collector(): (options: { readonly flavor: "last-resort" }) => void {
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc");
  } finally {
    // Code that is compiled from now on is kept for the next start, and holds for the flags of its moment.
    setFlagsFromString("--no-expose-gc");
  }
}
