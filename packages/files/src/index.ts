export { findRepository, type GitHead, readGitHead } from "./git-head.ts";
export { openOutline } from "./outline/outline.ts";
export { openSourceFiles, type SourceFiles } from "./source-files.ts";
export { withSources } from "./with-sources.ts";
export { openWorkspace, type RootsOf } from "./workspace.ts";
