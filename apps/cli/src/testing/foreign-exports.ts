import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Export of another system, made after that system's documentation. */
export interface ForeignExport {
  /** Format as `--from` names it. */
  readonly format: string;
  /** File or folder to import. */
  readonly path: string;
  /** File of the export that a test can truncate. */
  readonly file: string;
  /** Number of memories that are imported, and the text of one. */
  readonly memories: number;
  readonly says: string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Writes one export of each system into a folder. */
export function makeForeignExports(folder: string): readonly ForeignExport[] {
  const put = (path: string, text: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const json = (path: string, value: unknown) => put(path, JSON.stringify(value, null, 2));

  // Columns of `observations`, in the README's "Database Schema"; `mem_export` writes JSON or JSONL.
  const observations = [
    {
      id: 12,
      memory_session_id: "s-1",
      project: "my--app",
      type: "bugfix",
      title: "Deadlock in the pool",
      narrative: "Two workers waited for each other.",
      concepts: '["locking","worker pool"]',
      facts: '["the pool has four workers"]',
      files_modified: '["src/pool.ts"]',
      files_read: "[]",
      importance: 3,
      related_ids: "[13]",
      created_at_epoch: 1_760_000_000_000,
      lesson_learned: "take locks in one order",
      branch: "main",
    },
    { id: 13, project: "my--app", type: "decision", title: "Use WAL", narrative: "Readers never wait.", importance: 2 },
  ];
  const claudeMemLite = put("claude-mem-lite.jsonl", observations.map((each) => JSON.stringify(each)).join("\n"));

  // Tables and fields of the README's "Architecture" and "Data Model".
  const contextMemory = join(folder, "memory.db");
  const db = new DatabaseSync(contextMemory);
  db.exec(`CREATE TABLE facts (id TEXT, content TEXT, project_path TEXT, session_id TEXT, source TEXT, source_content_hash TEXT,
      confidence REAL, importance TEXT, certainty TEXT, category TEXT, scope TEXT, topics TEXT, evidence TEXT, archived INTEGER);
    CREATE TABLE relations (from_id TEXT, to_id TEXT, relation_type TEXT, metadata TEXT)`);
  const fact = db.prepare(
    "INSERT INTO facts VALUES (?, ?, '/home/dev/app', 's', ?, ?, ?, ?, ?, ?, 'project', ?, ?, ?)",
  );
  const hash = sha256("fn main() {}\n");
  fact.run(
    "f-1",
    "tokens live fifteen minutes",
    "src/auth.rs:42",
    hash,
    0.7,
    "high",
    "definite",
    "decision",
    '["auth"]',
    '["the spec"]',
    0,
  );
  fact.run("f-2", "sessions were cookies once", null, null, 0.4, "low", "likely", "context", "[]", "[]", 1);
  db.prepare("INSERT INTO relations VALUES ('f-1', 'f-2', 'supersedes', NULL)").run();
  db.close();

  // The README's tree of `data/`, and the arguments of `add_long_term_memory`.
  const longTerm = json("data/user_123/long-term-memory.json", [
    {
      name: "birthday",
      prompt: "the birthday is on the seventeenth of July",
      trigger: "match_keys(context.messages, ['birthday', '生日'], 'any')",
      createdContext: "said in passing",
    },
    { name: "odd", prompt: "an odd one", trigger: "(() => { while (true) {} })()" },
  ]);
  json("data/user_123/short-term-memory.json", []);

  // "JSON Export Format" of scripts/sync/README.md.
  const doobidoo = json("doobidoo.json", {
    export_metadata: { source_machine: "desk", total_memories: 1, exporter_version: "5.0.0" },
    memories: [
      {
        content: "staging deploys from the release branch",
        content_hash: sha256("staging"),
        tags: ["deploy", "staging"],
        created_at: 1_673_545_200.0,
        updated_at: 1_673_545_200.0,
        memory_type: "note",
        metadata: {},
        export_source: "desk",
      },
    ],
  });

  // Answer of `get_all`, in the API reference.
  const mem0 = json("mem0.json", {
    count: 2,
    results: [
      {
        id: "550e8400-e29b-41d4-a716-446655440000",
        memory: "Dev works on the billing team",
        user_id: "dev",
        hash: "x",
        metadata: { type: "professional" },
        categories: ["professional details"],
        created_at: "2025-03-01T09:00:00Z",
        updated_at: "2025-03-02T09:00:00Z",
      },
      { id: "1", user_id: "dev" },
    ],
  });

  // "Note Format Reference".
  const note = put(
    "basic/coffee.md",
    `---
title: Coffee Brewing Methods
type: note
tags: [coffee, brewing]
permalink: coffee-brewing-methods
---

# Coffee Brewing Methods

Notes on brewing at home.

## Observations
- [decision] Pour over it is #brewing
- [technique] Water at 96 °C
- [ ] buy beans

## Relations
- relates_to [[Coffee Bean Origins]]
`,
  );
  put("basic/beans.md", "---\ntitle: Coffee Bean Origins\n---\n\nBeans come from Ethiopia.\n");

  const markdown = put(
    "notes/rules.md",
    "---\ntitle: House rules\ntags:\n  - rules\ncategory: convention\ncreated: 2025-05-01\n---\nTests are named as facts.\n",
  );
  put("notes/deep/plain.md", "# Plain\n\nA note without front matter.\n");

  return [
    { format: "claude-mem-lite", path: claudeMemLite, file: claudeMemLite, memories: 2, says: "Two workers waited" },
    { format: "context-memory", path: contextMemory, file: contextMemory, memories: 2, says: "tokens live fifteen" },
    { format: "memory-mcp", path: join(folder, "data"), file: longTerm, memories: 2, says: "seventeenth of July" },
    { format: "doobidoo", path: doobidoo, file: doobidoo, memories: 1, says: "release branch" },
    { format: "mem0", path: mem0, file: mem0, memories: 1, says: "billing team" },
    { format: "basic-memory", path: join(folder, "basic"), file: note, memories: 4, says: "Pour over it is" },
    { format: "markdown", path: join(folder, "notes"), file: markdown, memories: 2, says: "named as facts" },
  ];
}
