import type { z } from "zod";

type RawArguments = Readonly<Record<string, unknown>>;
type Shape = z.ZodObject["shape"];

/** Other names of arguments, from other memory systems or guessed by agents, by Chest's name. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  tags: ["topics", "topic", "hashtags", "concepts"],
  project: ["namespace", "workspace"],
  content: ["fact", "observation", "entry", "text"],
  memory_id: ["fact_id", "observation_id", "entry_id", "id"],
  ids: ["id", "memory_id", "memory_ids"],
  memory_ids: ["ids"],
  id: ["memory_id"],
  query: ["q"],
  limit: ["k", "top_k", "max_results"],
  category: ["type"],
  path_substring: ["path", "file_path", "file"],
  path: ["file_path"],
  visibility: ["scope"],
  task: ["query", "q"],
  token_budget: ["budget", "max_tokens"],
  closes_work: ["closes_deferred"],
  add_links: ["relations"],
  links: ["relations"],
};

/** Whether a name is another name of one of these arguments: both together would be ambiguous. */
export const isOtherName = (shape: Shape, name: string): boolean =>
  Object.entries(ARGUMENTS).some(([own, others]) => own in shape && others.includes(name));

const IMPORTANCE: Readonly<Record<string, number>> = { critical: 0.9, high: 0.75, normal: 0.5, low: 0.25 };

const PRIORITIES: Readonly<Record<string, number>> = { urgent: 1, high: 1, normal: 2, medium: 2, low: 3 };

/** Other words for the actions on work items. */
const ACTIONS: Readonly<Record<string, string>> = {
  create: "add",
  defer: "add",
  show: "get",
  done: "close",
  complete: "close",
  finish: "close",
  cancel: "drop",
};

const CATEGORIES: Readonly<Record<string, string>> = {
  bugfix: "bug",
  pitfall: "bug",
  "deferred work": "todo",
  deferred: "todo",
};

/**
 * Translates arguments of other memory systems. Known and unknown names are unchanged; the schema refuses unknown ones.
 */
export function inOwnWords(shape: Shape, input: RawArguments): RawArguments {
  const words = everywhere(shape, withOwnNames(shape, input));
  const { priority, category, action } = words;
  return {
    ...inPlace(shape, words),
    ...Object.fromEntries(
      LINKS.flatMap((name) => (name in shape && Array.isArray(words[name]) ? [[name, words[name].map(linkText)]] : [])),
    ),
    ...Object.fromEntries(
      WEIGHTS.flatMap((name) => {
        const word = words[name];
        return typeof word === "string" && name in shape ? [[name, IMPORTANCE[word.trim().toLowerCase()] ?? word]] : [];
      }),
    ),
    ...(typeof priority === "string" && "priority" in shape
      ? { priority: PRIORITIES[priority.trim().toLowerCase()] ?? priority }
      : {}),
    ...(typeof action === "string" && "action" in shape && "priority" in shape
      ? { action: ACTIONS[action.trim().toLowerCase()] ?? action.trim().toLowerCase() }
      : {}),
    ...(typeof category === "string" && "category" in shape
      ? { category: CATEGORIES[category.trim().toLowerCase()] ?? category.trim().toLowerCase() }
      : {}),
  };
}

const WEIGHTS = ["importance", "min_importance"];
const LINKS = ["links", "add_links", "remove_links"];

/** Converts a link object to its text form. */
function linkText(link: unknown): unknown {
  if (typeof link !== "object" || link === null) return link;
  const { type, relation_type = type, note, ...ends } = link as Readonly<Record<string, unknown>>;
  const to = ends.to ?? ends.id ?? ends.memory_id ?? ends.target;
  if (to === undefined || relation_type === undefined) return link;
  return `${relation_type}:${to}${typeof note === "string" && note !== "" ? ` ${note}` : ""}`;
}

function withOwnNames(shape: Shape, input: RawArguments): RawArguments {
  const renamed: Record<string, unknown> = { ...input };
  for (const [own, others] of Object.entries(ARGUMENTS)) {
    if (!(own in shape) || input[own] !== undefined) continue;
    const word = others.find((other) => !(other in shape) && other in renamed);
    if (word === undefined) continue;
    renamed[own] = renamed[word];
    delete renamed[word];
  }
  return renamed;
}

/** Converts `true` for all projects to the project `*`. */
function everywhere(shape: Shape, words: RawArguments): RawArguments {
  if (!("project" in shape) || "all_projects" in shape) return words;
  const { all_projects: all, ...others } = words;
  if (!/^(?:true|false)$/i.test(String(all))) return words;
  return /^true$/i.test(String(all)) ? { project: "*", ...others } : others;
}

const NARROW = /^(branch|task)(?::(.+))?$/s;

/** Converts a branch or task scope to project visibility and a tag. */
function inPlace(shape: Shape, words: RawArguments): RawArguments {
  const { visibility, tags, git_branch } = words;
  if (typeof visibility !== "string" || !("visibility" in shape)) return words;
  const [, kind, name = kind === "branch" ? git_branch : undefined] = NARROW.exec(visibility.trim()) ?? [];
  const target = "tags" in shape ? "tags" : "add_tags";
  if (kind === undefined || typeof name !== "string" || !(target in shape)) return words;
  const others = words[target] ?? tags;
  const listed = Array.isArray(others) ? others : typeof others === "string" && others !== "" ? others.split(",") : [];
  return { ...words, visibility: "project", [target]: [...listed, `${kind}:${name.trim()}`] };
}
