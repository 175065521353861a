import { invalid } from "../tool.ts";

/** Refuses content that is blank or longer than the store takes; both numbers are in the message. */
export function checkContent(content: string, limit: number): void {
  if (content.length > limit) {
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
