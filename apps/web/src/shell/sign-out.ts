import { answer, chest } from "../api/client.ts";
import { becomes } from "../api/query-client.ts";
import { dropAllDrafts } from "../parts/drafts.ts";
import type { Me } from "./destinations.ts";

/** Ends this browser's sign-in, and what the tab kept of the member. */
export async function signOut(me: Me): Promise<void> {
  if (me.sign_in !== undefined)
    await answer(chest.DELETE("/api/sign-ins/{id}", { params: { path: { id: me.sign_in } } })).catch(() => {});
  dropAllDrafts();
  becomes(null);
}
