/** Longest key a project may have. */
export const MAX_PROJECT_KEY = 200;

/** `git@Host:Org/repo.git` and `https://user@host/Org/repo` are both `host/Org/repo`; undefined when it is no remote. */
export function projectKeyOfRemote(remote: string): string | undefined {
  const trimmed = remote
    .trim()
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?([^/:@]+)(?::\d+)?\/(.+)$/i.exec(trimmed);
  const scp = /^(?:[^@/\s]+@)?([^/:\s]+):(?!\/)(.+)$/.exec(trimmed);
  const [, host, path] = url ?? scp ?? [];
  if (!host || !path) return undefined;
  return `${host.toLowerCase()}/${path.replace(/^\/+/, "")}`.slice(0, MAX_PROJECT_KEY);
}
