/** Question that found nothing, in the project it was asked in. */
export interface Gap {
  readonly question: string;
  /** Key of the project; undefined where it was asked in none. */
  readonly project: string | undefined;
  readonly times: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** The newest of each project that are kept. */
export const MOST_GAPS = 500;
/** Days that one is kept after it was asked last. */
export const GAP_DAYS = 90;

export interface GapReads {
  /** Gaps of the projects that the caller may open, and of none: the most asked first, then the newest. */
  list(limit: number): Promise<readonly Gap[]>;
}

export interface GapWrites {
  /** Counts a question in the caller's project; in one that is not there, or closed to the caller, nothing is kept. */
  note(question: string): Promise<void>;
}
