import { REDACTED } from "../memory/redact.ts";
import { invalid } from "../tool.ts";

/**
 * Refuses content that is blank or longer than the store takes; both numbers are in the message. The marks that stand for
 * removed secrets do not count: a client removes them before it sends, and the text it was given fitted.
 */
export function checkContent(content: string, limit: number): void {
  if (content.length > limit && content.replaceAll(REDACTED, "").length > limit) {
    throw invalid(
      [
        {
          path: "content",
          message: `has ${content.length} characters, the limit is ${limit}: split it or say it shorter`,
        },
      ],
      { limit, actual: content.length },
    );
  }
  if (content.trim() === "") throw invalid([{ path: "content", message: "is blank" }]);
}
