import type { Wrap } from "../executor.ts";
import type { AnyTool } from "../tool.ts";
import { isWrite } from "./authorise.ts";

/** Notifies a listener after a tool has written, without waiting for it. */
export function afterWrite(tools: readonly AnyTool[], tell: () => void): Wrap {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return (next) => ({
    async execute(name, input, call) {
      const answer = await next.execute(name, input, call);
      const tool = byName.get(name);
      if (tool && isWrite(tool, input)) tell();
      return answer;
    },
  });
}
