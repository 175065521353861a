const PREFIX = "chest-draft";

/** Stores the unsaved text of one form for as long as the tab is open, through reloads and through a new sign-in. */
export interface Draft<Values> {
  read(): Values | undefined;
  keep(values: Values): void;
  drop(): void;
}

/**
 * @param member the draft is hidden from other members who sign in to the same tab
 * @param name of the form
 */
export function draftOf<Values>(member: string, name: string): Draft<Values> {
  const key = `${PREFIX} ${JSON.stringify([member, name])}`;
  return {
    read() {
      try {
        return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
      } catch {
        return undefined;
      }
    },
    keep(values) {
      try {
        sessionStorage.setItem(key, JSON.stringify(values));
      } catch {
        // The storage of the browser is full or off. The warning before leaving the page still protects the text.
      }
    },
    drop: () => sessionStorage.removeItem(key),
  };
}

/** Removes all drafts and other stored values of this tab when the member signs out. */
export const dropAllDrafts = (): void => sessionStorage.clear();
