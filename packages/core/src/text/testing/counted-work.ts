import { Session } from "node:inspector";

/** Counts work, so that a test of it says the same on a busy machine. */
export interface WorkCounter {
  /** Blocks of code that a run executes, and characters that expressions and searches go over for it. */
  workOf(run: () => unknown): number;
  close(): void;
}

/** Opens a counter of what functions do whose sources lie below a folder. */
export function openWorkCounter(folder: string): WorkCounter {
  const session = new Session();
  session.connect();
  const take = (): Coverage["result"] => {
    let result: Coverage["result"] = [];
    // A session of its own thread answers before it returns.
    session.post("Profiler.takePreciseCoverage", (error, coverage) => {
      if (error) throw error;
      ({ result } = coverage);
    });
    return result;
  };
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return {
    workOf(run) {
      take();
      const characters = charactersOf(run);
      const blocks = take()
        .filter(({ url }) => url.includes(folder))
        .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
      return blocks.reduce((sum, count) => sum + count, characters);
    },
    close: () => session.disconnect(),
  };
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** Characters that expressions and searches go over in a run: these count as no blocks. */
function charactersOf(run: () => unknown): number {
  const { exec } = RegExp.prototype;
  const { indexOf, lastIndexOf, includes } = String.prototype;
  let sum = 0;
  // Every method that takes an expression calls this one. A sticky expression is tried at one place.
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    if (found) sum += found.index + found[0].length - from;
    else sum += this.sticky ? 1 : Math.max(0, text.length - from);
    return found;
  };
  String.prototype.indexOf = function (sought, from = 0) {
    const at = indexOf.call(this, sought, from);
    sum += Math.max(0, (at < 0 ? this.length : at) - from);
    return at;
  };
  String.prototype.lastIndexOf = function (this: string, sought, from) {
    const at = lastIndexOf.call(this, sought, from);
    sum += Math.max(0, Math.min(from ?? this.length, this.length) - at);
    return at;
  };
  String.prototype.includes = function (sought, from = 0) {
    const at = indexOf.call(this, sought, from);
    sum += Math.max(0, (at < 0 ? this.length : at) - from);
    return at >= 0;
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
    Object.assign(String.prototype, { indexOf, lastIndexOf, includes });
  }
  return sum;
}
