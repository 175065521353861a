import type { Space } from "@chest/core/access";
import { LAYERS, type Memory, type stateOf } from "@chest/core/memory";
import type { Arena } from "./arena.ts";
import { bytesOf } from "./bits.ts";

/** Dimensions beyond which a vector is not indexed; no model has as many. */
export const MOST_DIMENSIONS = 32_768;

/** Slots per segment, the unit of allocation and scans. */
export const SLOTS = 16_384;

/**
 * Consecutive slots for vectors of one space: a search in one space reads them together, in a tenth of the time. Equals
 * the bits in a word of a mask.
 */
export const RUN = 32;

/** Bytes per slot of the columns besides the bits: id, space, entity, scale, kind. */
const COLUMN_BYTES = 8 + 8 + 4 + 4 + 1;
/** Bytes of the single values before the columns. */
const HEAD_BYTES = 64;

/** A part of an identity's vectors in shared memory: bits for the scan, and columns for filters. */
export interface Segment {
  /** Offset at which its bits begin. */
  readonly rows: number;
  readonly bits: Uint32Array;
  /** One number: counts changes of slots. */
  readonly changes: Int32Array;
  /** One number: first unit of its coarse vectors in memory; 0 if they are in the file. */
  readonly coarse: Int32Array;
  readonly ids: Float64Array;
  readonly entities: Uint32Array;
  /** Size of one step of its coarse numbers. */
  readonly scales: Float32Array;
  /** `spaceNumber` of each. */
  readonly spaces: Float64Array;
  /** For each run, `spaceNumber` + 1 of its space; 0 if unused, NaN if mixed. */
  readonly runs: Float64Array;
  /** `kindOf` of each; 0 for a free slot. */
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

/** Upper limit of project ids. */
const PROJECTS = 2 ** 32;

/** Number of a space, unique: its member, then its project, 0 for none; see `spaceOf`. */
export function spaceNumber(space: Space): number {
  const [known, member = 0, project = 0] = /^(?:team|(?:m(\d+))?(?:p(\d+))?)$/.exec(space) ?? [];
  return known ? Number(member) * PROJECTS + Number(project) : Number.NaN;
}
