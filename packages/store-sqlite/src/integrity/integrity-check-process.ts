import { sqliteCode } from "../database/sqlite-errors.ts";
import { checkIntegrity, type Verdict } from "./integrity-check.ts";

/** Checks the file that it is given, and reports to the process that started it. */
function look(path: string): Verdict {
  try {
    return { soundness: checkIntegrity(path) };
  } catch (error) {
    const { message } = error as Error;
    return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? "") ? { damage: message } : { trouble: message };
  }
}

const [, , path = ""] = process.argv;
// The process that started it may be gone.
process.on("error", () => undefined);
process.send?.(look(path), () => process.disconnect());
