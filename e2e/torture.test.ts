import { describe, expect, it } from "vitest";
import { seeded } from "./support/random.ts";
import { report } from "./support/report.ts";
import { PARTS } from "./torture/parts.ts";
import { noticed, placesOf, tryPart } from "./torture/rig.ts";

// The suite draws the same lots every time; `npm run torture` draws new ones.
const seed = 7;
const able = PARTS.filter((part) => part.lacks?.() === undefined);
const guards = able.flatMap((part) => part.guards.map((guard) => ({ part, guard, of: part.name, name: guard.name })));

describe.each(PARTS)("the breaking rig, in short: $name", (part) => {
  it.skipIf(!able.includes(part))(
    `${part.does}: ${part.holds.join("; ")}`,
    async () => {
      const { figures, faults, rounds, seconds } = await tryPart(part, { effort: "short", seed });
      report(part.name, { seed, seconds, [part.counted]: rounds, ...figures });
      expect(faults).toEqual([]);
    },
    180_000,
  );
});

// `npm run torture` takes all of them away, one after another; here that is a matter of minutes.
describe("the guards", () => {
  it.each(guards)("can be taken away: $of: $name", ({ guard }) => {
    for (const edit of guard.edits) expect(placesOf(edit), `${edit.file}: ${edit.find}`).toBe(1);
  });

  const drawn = guards[Math.floor(seeded(seed)() * guards.length)];
  it.skipIf(drawn === undefined)(
    `are missed when one is gone, by lot: ${drawn?.name}`,
    async () => {
      const { part, guard } = drawn as (typeof guards)[number];
      expect(await noticed(part, guard, seed), `seed ${seed}`).toMatch(guard.shows);
    },
    180_000,
  );
});
