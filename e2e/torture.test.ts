import { describe, expect, it } from "vitest";
import { inShort } from "../deploy/local/test-extent.ts";
import { report } from "./support/report.ts";
import { guardsOf, type Part } from "./torture/part.ts";
import { PARTS } from "./torture/parts.ts";
import { noticed, placesOf, tryPart } from "./torture/rig.ts";

// The suite uses the same seed each time, so runs differ only in the guard that is removed; `npm run torture` uses a
// new seed.
const seed = 7;
const able = PARTS.filter((part) => part.lacks?.() === undefined);
/** Parts that need minutes to show a fault run only in the nightly form. */
const EACH_TIME = inShort(
  ["kill", "disk", "restore", "upgrade", "crowd", "bodies", "timing"],
  able.map(({ name }) => name),
);
/** In the short form no more than notice a guard that is missing. */
const roundsOf = ({ rounds: { short, unguarded } }: Part) => inShort(Math.min(short, unguarded), short);
const guards = able.flatMap((part) =>
  guardsOf(part).map((guard) => ({ part, guard, of: part.name, name: guard.name })),
);

describe.each(PARTS)("the torture suite, in short: $name", (part) => {
  it.skipIf(!able.includes(part) || !EACH_TIME.includes(part.name))(
    `${part.does}: ${part.holds.map(({ says }) => says).join("; ")}`,
    async () => {
      const { figures, faults, rounds, seconds } = await tryPart(part, {
        effort: "short",
        rounds: roundsOf(part),
        seed,
      });
      report(part.name, { seed, seconds, [part.counted]: rounds, ...figures });
      expect(faults).toEqual([]);
    },
    180_000,
  );
});

// `npm run torture` removes every guard in turn, which would take minutes here.
describe("the guards", () => {
  it.each(PARTS)("are at least one for each invariant: $name", (part) => {
    for (const { says, guards } of part.holds) expect(guards.length, says).toBeGreaterThan(0);
    const names = guardsOf(part).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(guards)("can be removed: $of: $name", ({ guard }) => {
    for (const edit of guard.edits) expect(placesOf(edit), `${edit.file}: ${edit.find}`).toBe(1);
  });

  // The seed changes daily; a second run on the same day uses the same one.
  const day = Math.floor(Date.now() / 86_400_000);
  const drawn = guards[day % guards.length];
  it.skipIf(drawn === undefined)(
    `are missed when one is removed, by the day: ${drawn?.of}: ${drawn?.name}`,
    async () => {
      const { part, guard } = drawn as (typeof guards)[number];
      report("guards", { day, "taken away": `${part.name}: ${guard.name}` });
      expect(await noticed(part, guard, seed), `seed ${seed}`).toMatch(guard.shows);
    },
    180_000,
  );
});
