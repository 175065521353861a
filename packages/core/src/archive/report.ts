import type { SkippedRecord } from "./record.ts";

/** Reason for which some rows were left out, with the first of them. */
export interface SkippedGroup {
  readonly what: string;
  readonly reason: string;
  readonly count: number;
  readonly refs: readonly (number | string)[];
  /** Left out on purpose, so nothing is missing. */
  readonly isByDesign: boolean;
}

/** Outcome of an import, real or previewed. */
export interface ImportReport {
  readonly memories: { readonly inserted: number; readonly unchanged: number; readonly left: number };
  readonly entities: { readonly inserted: number; readonly known: number };
  readonly links: number;
  readonly edits: number;
  readonly work: number;
  readonly vectors: { readonly kept: number; readonly dropped: number };
  /** Whether the memories kept their ids, as they do in an empty store. */
  readonly keptIds: boolean;
  readonly left: readonly SkippedGroup[];
}

const SHOWN_REFS = 10;

/** Counts rows during an import. */
export class ImportTally {
  memories = { inserted: 0, unchanged: 0, left: 0 };
  entities = { inserted: 0, known: 0 };
  links = 0;
  edits = 0;
  work = 0;
  vectors = { kept: 0, dropped: 0 };
  keptIds = false;
  readonly #left = new Map<string, SkippedGroup & { count: number; refs: (number | string)[] }>();

  leave({ what, ref, reason, isByDesign = false }: Omit<SkippedRecord, "type">): void {
    const key = `${what}\n${reason}`;
    const group = this.#left.get(key) ?? { what, reason, count: 0, refs: [], isByDesign };
    group.count++;
    if (group.refs.length < SHOWN_REFS) group.refs.push(ref);
    this.#left.set(key, group);
    if (what === "memory") this.memories.left++;
  }

  report(): ImportReport {
    const { memories, entities, links, edits, work, vectors, keptIds } = this;
    return { memories, entities, links, edits, work, vectors, keptIds, left: [...this.#left.values()] };
  }
}
