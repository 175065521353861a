import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const LOOK_MS = 3000;
/** Share of time up to which a busy event loop counts as quiet. */
const QUIET = 0.05;
// A collection takes 0.1 s of processor time, and a hundred recalls leave about 8 MB of garbage.
const WORTH_BYTES = 12 * 1024 * 1024;

/**
 * Collects garbage when the event loop has been quiet for a moment. V8 collects only as its heap grows, up to four
 * times the size of the live objects: after a burst of recalls, 30 to 60 MB of garbage stayed in memory until the next
 * burst.
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
    // A regular collection would not return emptied pages to the system.
    collect({ flavor: "last-resort" });
    kept = heapUsed();
  }, lookMs);
  looking.unref();
  return { stop: () => clearInterval(looking) };
}

/** Unlike `process.memoryUsage`, this opens no file, so it works even when the process may open no more. */
const heapUsed = (): number => getHeapStatistics().used_heap_size;

/** Gets V8's `gc` without a command-line flag, which every way to start a backend would have to pass to Node. */
function collector(): (options: { readonly flavor: "last-resort" }) => void {
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc");
  } finally {
    // The compile cache depends on the flags, so the flag is unset before further code is compiled.
    setFlagsFromString("--no-expose-gc");
  }
}
