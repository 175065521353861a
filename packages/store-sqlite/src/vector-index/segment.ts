import { LAYERS, type Memory, type Space, type stateOf } from "@chest/core";
import type { Arena } from "./arena.ts";
import { bytesOf } from "./bits.ts";

/** Dimensions beyond which a vector is not indexed; no model has as many. */
export const MOST_DIMENSIONS = 32_768;

/** Slots of a segment: what is allocated and scanned at once. */
export const SLOTS = 16_384;

/**
 * Slots that follow one another hold vectors of one space: who asks in a space reads them in one go, which takes a tenth
 * of the time of as many that lie apart. As many as a word of a mask has bits.
 */
export const RUN = 32;

/** Columns of a segment beside its bits, in bytes a slot: id, space, entity, scale, kind. */
const COLUMN_BYTES = 8 + 8 + 4 + 4 + 1;
/** Before them: what there is one of. */
const HEAD_BYTES = 64;

/** Some vectors of one identity as they lie in shared memory: bits for the scan, and what filters ask of their memories. */
export interface Segment {
  /** Offset at which its bits begin. */
  readonly rows: number;
  readonly bits: Uint32Array;
  /** One number: how often a slot of it changed. */
  readonly changes: Int32Array;
  /** One number: the unit at which its coarse vectors begin, where they are in memory; 0 where they are not. */
  readonly coarse: Int32Array;
  readonly ids: Float64Array;
  readonly entities: Uint32Array;
  /** Size of one step of its coarse numbers. */
  readonly scales: Float32Array;
  /** `spaceNumber` of each. */
  readonly spaces: Float64Array;
  /** One more than `spaceNumber` of each run whose slots are of one space; 0 of an unused one, NaN of a mixed one. */
  readonly runs: Float64Array;
  /** `kindOf` of each; 0 where the slot is free. */
  readonly kinds: Uint8Array;
}

export const segmentBytes = (dimensions: number): number =>
  SLOTS * (bytesOf(dimensions) + COLUMN_BYTES + 8 / RUN) + HEAD_BYTES;

export function segmentAt({ bytes }: Arena, start: number, dimensions: number): Segment {
  const memory = bytes();
  const bitBytes = SLOTS * bytesOf(dimensions);
  let next = start;
  const take = (size: number): number => {
    const offset = next;
    next += size;
    return offset;
  };
  const bits = take(bitBytes);
  const head = take(HEAD_BYTES);
  return {
    rows: start,
    bits: new Uint32Array(memory, bits, bitBytes / 4),
    changes: new Int32Array(memory, head, 1),
    coarse: new Int32Array(memory, head + 4, 1),
    ids: new Float64Array(memory, take(8 * SLOTS), SLOTS),
    spaces: new Float64Array(memory, take(8 * SLOTS), SLOTS),
    runs: new Float64Array(memory, take((8 * SLOTS) / RUN), SLOTS / RUN),
    entities: new Uint32Array(memory, take(4 * SLOTS), SLOTS),
    scales: new Float32Array(memory, take(4 * SLOTS), SLOTS),
    kinds: new Uint8Array(memory, take(SLOTS), SLOTS),
  };
}

const STATES = ["live", "archived", "superseded"] as const;

/** A memory's state and layer in one number, from 1. */
export const kindOf = (state: ReturnType<typeof stateOf>, layer: Memory["layer"]): number =>
  1 + STATES.indexOf(state) * LAYERS.length + LAYERS.indexOf(layer);

export const KINDS = 1 + STATES.length * LAYERS.length;

/** More projects than there will be. */
const PROJECTS = 2 ** 32;

/** A space in one number, each in another: its member, then its project, 0 where it has none; see `spaceOf`. */
export function spaceNumber(space: Space): number {
  const [known, member = 0, project = 0] = /^(?:team|(?:m(\d+))?(?:p(\d+))?)$/.exec(space) ?? [];
  return known ? Number(member) * PROJECTS + Number(project) : Number.NaN;
}
