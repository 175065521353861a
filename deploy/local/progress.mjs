const SAY_AGAIN_MS = 3000;

export function say(what) {
  console.error(`chest: ${what}`);
}

/** One line that says how far something is: overwritten on a terminal, elsewhere repeated every few seconds. */
export class Progress {
  // The step has just been told by its name.
  #saidAt = performance.now();
  #isOnLine = false;

  tell(what) {
    if (process.stderr.isTTY) {
      this.#isOnLine = true;
      process.stderr.write(`\r\x1b[Kchest: ${what}`);
      return;
    }
    if (performance.now() - this.#saidAt < SAY_AGAIN_MS) return;
    this.#saidAt = performance.now();
    say(what);
  }

  end() {
    if (this.#isOnLine) process.stderr.write("\r\x1b[K");
    this.#isOnLine = false;
  }
}
