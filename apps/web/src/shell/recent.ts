/** Memory that was opened in this tab. */
export interface Recent {
  readonly id: number;
  readonly title: string;
}

const MOST = 8;
const keyOf = (member: string): string => `chest-recent ${JSON.stringify([member])}`;

/** Memories that a member opened last in this tab, the last one first. */
export function recentMemories(member: string): readonly Recent[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(member)) ?? "[]") as readonly Recent[];
  } catch {
    return [];
  }
}

export function noteRecent(member: string, { id, title }: Recent): void {
  try {
    const others = recentMemories(member).filter((each) => each.id !== id);
    sessionStorage.setItem(keyOf(member), JSON.stringify([{ id, title }, ...others].slice(0, MOST)));
  } catch {
    // If the storage is full, only the list of recent memories is lost.
  }
}
