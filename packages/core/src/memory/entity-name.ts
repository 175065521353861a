import { splitHumps } from "../text/humps.ts";

const JOINTS = /[-_\s]+/gu;

/** The name under which an entity is found: `AcmeAPI`, `acme-api` and `Acme API` are one; dots stay. */
export function normaliseName(name: string): string {
  return splitHumps(name.normalize("NFKC")).join(" ").replace(JOINTS, " ").trim().toLowerCase();
}
