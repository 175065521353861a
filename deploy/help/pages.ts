/** Readers of the site, each with the documents that are for them, in the order in which they are read. */
export const SECTIONS: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  {
    title: "Use it",
    files: [
      "docs/first-minutes.md",
      "apps/mcp/docs/tools.md",
      "docs/memories.md",
      "docs/recall.md",
      "docs/page.md",
      "docs/continuity.md",
      "docs/conversations.md",
      "docs/contradictions.md",
      "docs/sources.md",
      "docs/history.md",
      "docs/read-smart.md",
    ],
  },
  {
    title: "Connect",
    files: [
      "docs/setup.md",
      "docs/hooks.md",
      "docs/clients.md",
      "docs/connect.md",
      "docs/models.md",
      "docs/embedding.md",
      "docs/moving.md",
    ],
  },
  {
    title: "Run it for a team",
    files: [
      "docs/docker.md",
      "docs/bare-metal.md",
      "docs/postgres.md",
      "docs/members.md",
      "docs/webhooks.md",
      "apps/server/docs/configuration.md",
    ],
  },
  {
    title: "Operate",
    files: [
      "docs/debugging.md",
      "docs/backup.md",
      "docs/observe.md",
      "docs/maintenance.md",
      "docs/upgrade.md",
      "docs/uninstall.md",
    ],
  },
  {
    title: "Build on it",
    files: ["apps/server/docs/endpoints.md", "packages/sdk-python/README.md", "examples/README.md"],
  },
  {
    title: "Contribute",
    files: [
      "CONTRIBUTING.md",
      "docs/releasing.md",
      "docs/design/write-path.md",
      "docs/design/journal.md",
      "docs/design/word-search.md",
      "docs/design/vector-index.md",
      "docs/design/mcp.md",
      "docs/design/start-up.md",
      "docs/design/time-limits.md",
    ],
  },
  {
    title: "Know what it is not",
    files: ["docs/not-built.md", "SECURITY.md"],
  },
];

const FRONT = "README.md";

/** Every document of the site; the front page is first. */
export const DOCUMENTS: readonly string[] = [FRONT, ...SECTIONS.flatMap(({ files }) => files)];

/** The document's page. All pages lie in one folder, so that every link between them is the name of a file. */
export function pageOf(document: string): string {
  if (document === FRONT) return "index";
  const [, name = ""] = /([^/]+?)(?:\/README)?\.md$/.exec(document) ?? [];
  return (document.startsWith("docs/design/") ? `design-${name}` : name).toLowerCase();
}

/** The first heading of a document. */
export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? "";
