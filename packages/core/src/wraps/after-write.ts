import type { Wrap } from "../executor.ts";
import type { AnyTool } from "../tool.ts";

/** Tells somebody that a tool has written; nobody waits for what follows. */
export function afterWrite(tools: readonly AnyTool[], tell: () => void): Wrap {
  const writing = new Set(tools.filter(({ effects }) => !effects.readOnly).map(({ name }) => name));
  return (next) => ({
    async execute(name, input, call) {
      const answer = await next.execute(name, input, call);
      if (writing.has(name)) tell();
      return answer;
    },
  });
}
