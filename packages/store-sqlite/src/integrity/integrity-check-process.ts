import { sqliteCode } from "../database/sqlite-errors.ts";
import { type Verdict, vet } from "./integrity-check.ts";

/** Looks through the file that it is given, and tells whoever started it. */
function look(path: string): Verdict {
  try {
    return { soundness: vet(path) };
  } catch (error) {
    const { message } = error as Error;
    return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? "") ? { damage: message } : { trouble: message };
  }
}

const [, , path = ""] = process.argv;
// Whoever started it may be gone.
process.on("error", () => undefined);
process.send?.(look(path), () => process.disconnect());
