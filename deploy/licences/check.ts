import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Exceptions, judge, runtimePackages } from "./licences.ts";

// Lists what Chest runs with, and fails on a licence that is neither permissive nor in `licences.json` with a reason.
const root = fileURLToPath(new URL("../..", import.meta.url));
const exceptions: Exceptions = JSON.parse(readFileSync(join(root, "licences.json"), "utf8"));
const judged = judge(runtimePackages(root), exceptions);

for (const { name, version, licence, reason } of judged) {
  console.log(`${name}@${version}  ${licence}${reason === undefined ? "" : `  allowed: ${reason}`}`);
}
const refused = judged.filter(({ isAllowed }) => !isAllowed);
for (const { name, version, licence } of refused) {
  console.error(`${name}@${version}: ${licence} is neither permissive nor listed in licences.json with a reason`);
}
console.log(`${judged.length} packages at run time, ${refused.length} refused for their licence`);
process.exitCode = refused.length > 0 ? 1 : 0;
