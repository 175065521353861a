export const WORK_STATUSES = ["open", "done", "dropped"] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

export const PRIORITIES = [1, 2, 3] as const;
/** 1 is the most urgent. */
export type Priority = (typeof PRIORITIES)[number];

/** A work item for later, shared by all members of its project. */
export interface WorkItem {
  readonly id: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly priority: Priority;
  readonly status: WorkStatus;
  readonly files: readonly string[];
  /** Name of the member who added it. */
  readonly author: string;
  /** Key of its project; undefined for work of the whole team. */
  readonly project: string | undefined;
  /** Reason for dropping it. */
  readonly reason: string | undefined;
  /** Memory that describes how it was done. */
  readonly closedByMemoryId: number | undefined;
  readonly createdAt: Date;
  readonly closedAt: Date | undefined;
}

export interface NewWorkItem extends Pick<WorkItem, "title" | "detail" | "priority" | "files"> {
  /** Key of its project; undefined for work of the whole team. */
  readonly projectKey: string | undefined;
}

export interface WorkEnd {
  readonly status: Exclude<WorkStatus, "open">;
  readonly reason?: string | undefined;
  readonly memoryId?: number | undefined;
}

export interface WorkReads {
  /**
   * Open items of one project, or of all projects that the caller may open: by priority, then oldest. An item's ordinal
   * is its position in this list, from 1.
   */
  open(projectKey: string | undefined): Promise<readonly WorkItem[]>;
  /** Closed items of the same place, the last closed first. */
  ended(projectKey: string | undefined, limit: number): Promise<readonly WorkItem[]>;
  /** An item in any state, of any project that the caller may open; otherwise undefined. */
  byId(id: number): Promise<WorkItem | undefined>;
}

export interface WorkWrites extends WorkReads {
  add(item: NewWorkItem): Promise<WorkItem>;
  /** Closes an open item. */
  end(item: WorkItem, end: WorkEnd): Promise<void>;
  /** Reopens a closed item; the reason for closing is removed. */
  reopen(item: WorkItem): Promise<void>;
}
