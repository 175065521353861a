import type { Wrap } from "@chest/core/executor";
import { isObject } from "@chest/core/tool";
import { type GitHead, readGitHead } from "@chest/files";

const REMEMBER = "chest_remember";

/** Adds to what is remembered the commit and the branch that the agent works on, which only a client can see. */
export const withGitState =
  (read: () => GitHead = () => readGitHead(process.cwd())): Wrap =>
  (next) => ({
    async execute(name, input, call) {
      if (name !== REMEMBER || !isObject(input)) return next.execute(name, input, call);
      const { commit, branch } = read();
      const state = { ...(commit && { git_commit: commit }), ...(branch && { git_branch: branch }) };
      return next.execute(name, { ...state, ...input }, call);
    },
  });
