import { sqliteCode } from "../database/sqlite-errors.ts";
import { checkIntegrity, type Verdict } from "./integrity-check.ts";

/** Checks a file and reports to the parent process. */
function look(path: string): Verdict {
  try {
    return { soundness: checkIntegrity(path) };
  } catch (error) {
    const { message } = error as Error;
    return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? "") ? { damage: message } : { trouble: message };
  }
}

const [, , path = ""] = process.argv;
// The parent process may have ended.
process.on("error", () => undefined);
process.send?.(look(path), () => process.disconnect());
