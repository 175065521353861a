/** Order of the folders of a package. */
export interface FolderOrder {
  /** The lowest first: each imports values only from those before it. A file stands for itself, a dot for all others at the top. */
  readonly order: readonly string[];
  /** Holds for types, too. */
  readonly ofTypes?: true;
}

/** Orders of folders by package, as the map in CONTRIBUTING draws them. */
export const FOLDER_ORDERS: Readonly<Record<string, FolderOrder>> = {
  "packages/core": {
    order: [
      // Words, and a tool's shape.
      ...["text", "arguments", "tool.ts", "operation.ts", "redaction"],
      // Rows, their store, and who asks.
      ...["memory", "answers", "ports", "idempotency.ts", "access", "moments"],
      // One subject each.
      ...["triggers", "embedding", "archive", "transcript", "statements", "lifecycle", "recall"],
      // Built from several subjects.
      ...["files", "continuity", "conversation", "resources", "wording", "views"],
      // Doors: calls, hooks, lists, webhooks, findings of the doctor.
      ...["tools", "executor.ts", "wraps", "pipeline.ts", "hooks", "listing", "webhooks", "doctor"],
    ],
  },
  "packages/store": {
    order: [
      ...["database", "memories", "sessions", "access", "embedding", "archive", "purge", "queries"],
      ...["store.ts", "lifecycle", "engine.ts"],
    ],
  },
  "packages/store-sqlite": {
    ofTypes: true,
    order: [
      ...["database", "full-text", "writing", "embedding", "word-search", "memories", "vector-index", "queries"],
      ...["threads", "listings", "access", "purge", "store-file", "integrity", "backups", "lifecycle", "sessions"],
      ...[".", "archive"],
    ],
  },
  "packages/store-postgres": {
    order: [
      ...["database", "search", "writing", "access", "embedding", "memories", "lifecycle", "purge"],
      ...[".", "archive", "migrate"],
    ],
  },
  "apps/server": {
    order: ["metrics", "outbound", "oauth", "plugins", "sso", "mcp", "routes", "webhooks", "."],
  },
  "apps/cli": {
    order: [
      ...["terminal", "render", "connect", "files", "agents", "embedding", "markdown", "history", "doctor"],
      ...["commands", ".", "aliases"],
    ],
  },
  "apps/hooks": {
    order: ["process", "repository", "backend", "session", "command-failure.ts", "events", ".", "aliases"],
  },
  "apps/web": {
    order: ["i18n", "api", "parts", "shell", "pages", "app.css", "chat", "."],
  },
};
