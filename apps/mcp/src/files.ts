import type { Call } from "@chest/core/executor";
import { ReadingSession } from "@chest/core/files";
import type { Snapshots } from "@chest/core/ports";
import type { FilePorts } from "@chest/core/tool";
import { openOutline, openSourceFiles, openWorkspace, type SourceFiles } from "@chest/files";
import { contextMark } from "@chest/runtime/context-ends";
import type { Log } from "./log.ts";
import { workspaceRoots } from "./roots.ts";

export interface FilesOptions {
  readonly dataDir: string;
  /** Folders that the configuration names, or that it opens none. */
  readonly roots: readonly string[] | "none";
  readonly agentRoots: () => Promise<readonly string[]>;
  readonly machine: () => string | undefined;
  readonly session: string;
  readonly log: Log;
}

/** The files of this machine, as the agent beside this process may read them. */
export interface Files {
  portsFor(call: Call, snapshots: Snapshots): FilePorts;
  readonly sources: SourceFiles;
  /** The open folders, as they are named and as they really lie: either may stand in what an agent says of a file. */
  roots(): Promise<readonly string[]>;
}

export function openFiles(options: FilesOptions): Files {
  const { dataDir, machine, session, log } = options;
  const cwd = process.cwd();
  const roots = async () => workspaceRoots(await options.agentRoots(), options.roots, cwd);
  const workspace = openWorkspace(roots, cwd);
  const outline = openOutline((grammar, err) => log.warn({ grammar, err }, "a grammar failed, reading without it"));
  // Made by the first file that is read: no start waits for it.
  let reading: ReadingSession | undefined;
  const portsFor = (call: Call, snapshots: Snapshots): FilePorts => {
    reading ??= new ReadingSession({
      machine: machine() ?? "",
      session,
      contextMark: async () => contextMark(dataDir, [cwd, ...(await workspace.roots())]),
      onFailure: (err) => log.warn({ err, requestId: call.requestId }, "what was read before is not known"),
    });
    return { workspace, outline, readings: reading.readings(snapshots, call) };
  };
  return {
    portsFor,
    sources: openSourceFiles(workspace, cwd),
    roots: async () => [...new Set([...(await roots()), ...(await workspace.roots())])],
  };
}
