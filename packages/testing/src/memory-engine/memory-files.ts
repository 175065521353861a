import {
  editHistory,
  type FileEdit,
  type FileReads,
  isBelow,
  isNameOf,
  matchPaths,
  pathKeyOf,
  type Reach,
  type Space,
  stateOf,
} from "@chest/core";
import { plain, type State, type StoredMemory, sessionKey, type TouchRow } from "./memory-state.ts";

export function fileReads(state: () => State, spaces: (reach: Reach) => readonly Space[]): FileReads {
  return {
    async history({ reach, part, isPath, roots, most }) {
      const open = spaces(reach);
      const isWanted = (key: string) => roots === undefined || isBelow(key, roots);
      const all = [...state().touches.values()].filter(({ space }) => open.includes(space)).flatMap(toEdit);
      const { match, keys } = matchPaths([...new Set(all.map(({ key }) => key))], part, isPath);
      const edits = all.filter(({ key }) => keys.includes(key) && isWanted(key));
      const { history, memoryIds } = editHistory(edits, most);
      const isAbout = ({ entity: { kind, name } }: StoredMemory) =>
        kind === "file" && isNameOf(name, part) && isWanted(pathKeyOf(name));
      const isStatedOf = ({ files = [], sources = [] }: StoredMemory) =>
        [...files, ...sources.map(({ path }) => path)].some(
          (path) => isNameOf(path, part) && isWanted(pathKeyOf(path)),
        );
      const memories = [...state().memories.values()]
        .filter((row) => open.includes(row.space) && stateOf(row) === "live")
        .filter((row) => memoryIds.includes(row.id) || isAbout(row) || isStatedOf(row))
        .sort((a, b) => isLesson(b) - isLesson(a) || b.importance - a.importance || newest(a, b));
      return {
        match,
        matched: keys.length,
        ...history,
        memories: memories.slice(0, most.memories).map((row) => plain(row, state())),
      };
    },
  };
}

function toEdit({ path, operation, session: id, memberId, at, intent, memoryId }: TouchRow): FileEdit[] {
  if (operation !== "edit" && operation !== "write") return [];
  const session = sessionKey(memberId, id);
  return [{ key: pathKeyOf(path), path, operation, session, atMs: at.getTime(), intent, memoryId }];
}

const isLesson = ({ layer }: StoredMemory): number => Number(layer === "realize" || layer === "learning");
const newest = (a: StoredMemory, b: StoredMemory): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id;
