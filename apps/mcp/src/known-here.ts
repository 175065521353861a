import type { Stage } from "@chest/core/executor";
import { isObject } from "@chest/core/tool";
import { type GitHead, readGitHead } from "@chest/files";

const MOST_ROOTS = 64;

/**
 * Completes calls by what only a process beside the agent knows: the commit and the branch of what is remembered, and the
 * open folders for a question that keeps to them.
 */
export const knownHere =
  (openFolders: () => Promise<readonly string[]>, head: () => GitHead = () => readGitHead(process.cwd())): Stage =>
  async (request, next) => {
    const { tool, input } = request;
    if (!isObject(input)) return next(request);
    if (tool.name === "chest_remember") {
      const { commit, branch } = head();
      const state = { ...(commit && { git_commit: commit }), ...(branch && { git_branch: branch }) };
      return next({ ...request, input: { ...state, ...input } });
    }
    if (!("roots" in tool.input.shape) || input.scope_to_roots !== true || "roots" in input) return next(request);
    return next({ ...request, input: { ...input, roots: (await openFolders()).slice(0, MOST_ROOTS) } });
  };
