/** A question that found nothing, with the project in which it was asked. */
export interface Gap {
  readonly question: string;
  /** Key of the project; undefined if there was none. */
  readonly project: string | undefined;
  readonly times: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Number of gaps kept for each project, the newest. */
export const MOST_GAPS = 500;
/** Days that a gap is kept after the last time it was asked. */
export const GAP_DAYS = 90;

export interface GapReads {
  /** Gaps without a project and those of projects that the caller may open: most asked first, then newest. */
  list(limit: number): Promise<readonly Gap[]>;
}

export interface GapWrites {
  /** Counts a question in the caller's project. Does nothing if the project is missing or closed to the caller. */
  note(question: string): Promise<void>;
}
