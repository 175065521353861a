export const WORK_STATUSES = ["open", "done", "dropped"] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

export const PRIORITIES = [1, 2, 3] as const;
/** From 1, the most urgent. */
export type Priority = (typeof PRIORITIES)[number];

/** Work that was put off, shared by all who work in its project. */
export interface WorkItem {
  readonly id: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly priority: Priority;
  readonly status: WorkStatus;
  readonly files: readonly string[];
  /** Name of the member who put it off. */
  readonly author: string;
  /** Why it was dropped. */
  readonly reason: string | undefined;
  /** The memory that tells how it was done. */
  readonly closedByMemoryId: number | undefined;
  readonly createdAt: Date;
  readonly closedAt: Date | undefined;
}

export interface NewWorkItem extends Pick<WorkItem, "title" | "detail" | "priority" | "files"> {
  /** Key of the project it belongs to; undefined for work of the whole team. */
  readonly projectKey: string | undefined;
}

export interface WorkEnd {
  readonly status: Exclude<WorkStatus, "open">;
  readonly reason?: string | undefined;
  readonly memoryId?: number | undefined;
}

export interface WorkReads {
  /**
   * Open work of one project, or of all that the caller may open where it names none: by priority, then oldest. The place
   * in this list, from 1, is an item's ordinal.
   */
  open(projectKey: string | undefined): Promise<readonly WorkItem[]>;
  /** Work that is done or dropped, of the same place, the last ended first. */
  ended(projectKey: string | undefined, limit: number): Promise<readonly WorkItem[]>;
  /** In any state, of any project that the caller may open; undefined for none. */
  byId(id: number): Promise<WorkItem | undefined>;
}

export interface WorkWrites extends WorkReads {
  add(item: NewWorkItem): Promise<WorkItem>;
  /** Ends an open item. */
  end(item: WorkItem, end: WorkEnd): Promise<void>;
  /** Opens an item anew that was ended; why it was ended is forgotten. */
  reopen(item: WorkItem): Promise<void>;
}
