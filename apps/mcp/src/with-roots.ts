import type { Wrap } from "@chest/core/executor";
import type { AnyTool } from "@chest/core/tool";

const MOST = 64;

/** Gives a question that keeps to the open folders their names: only who runs beside the agent knows them. */
export function withRoots(tools: readonly AnyTool[], openFolders: () => Promise<readonly string[]>): Wrap {
  const asking = new Set(tools.filter(({ input }) => "roots" in input.shape).map(({ name }) => name));
  return (next) => ({
    async execute(name, input, call) {
      if (!asking.has(name) || !keepsToRoots(input)) return next.execute(name, input, call);
      const roots = (await openFolders()).slice(0, MOST);
      return next.execute(name, { ...input, roots }, call);
    },
  });
}

const keepsToRoots = (input: unknown): input is object =>
  input !== null &&
  typeof input === "object" &&
  "scope_to_roots" in input &&
  input.scope_to_roots === true &&
  !("roots" in input);
