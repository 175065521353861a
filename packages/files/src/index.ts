export { type GitHead, readGitHead } from "./git-head.ts";
export { openOutline } from "./outline/outline.ts";
export { openWorkspace, type RootsOf } from "./workspace.ts";
