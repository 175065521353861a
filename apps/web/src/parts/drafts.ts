const PREFIX = "chest-draft";

/** Unsaved text of one form, kept for as long as the tab lives: over a reload, and over a sign-in that ended meanwhile. */
export interface Draft<Values> {
  read(): Values | undefined;
  keep(values: Values): void;
  drop(): void;
}

/**
 * @param member Its text is shown to no other member who signs in to the same tab.
 * @param name Names the form.
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
        // The browser keeps nothing, or no more: the question before the page is left remains.
      }
    },
    drop: () => sessionStorage.removeItem(key),
  };
}

/** Removes drafts and whatever else this tab keeps: the member signs out by hand, and leaves nothing behind. */
export const dropAllDrafts = (): void => sessionStorage.clear();
