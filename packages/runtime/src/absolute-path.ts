import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** A path as a user typed it: `~` is the home folder, a relative one starts where the program was started. */
export const absolutePath = (input: string): string =>
  /^~(?=$|[/\\])/.test(input) ? join(homedir(), input.slice(1)) : resolve(input);
