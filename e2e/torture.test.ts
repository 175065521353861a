import { describe, expect, it } from "vitest";
import { report } from "./support/report.ts";
import { PARTS } from "./torture/parts.ts";
import { noticed, tryPart } from "./torture/rig.ts";

const seed = Date.now() % 2 ** 31;

describe.each(PARTS)("the breaking rig, in short: $name", (part) => {
  const lack = part.lacks?.();

  it.skipIf(lack !== undefined)(
    `${part.does}: ${part.holds.join("; ")}`,
    async () => {
      const { figures, faults, rounds } = await tryPart(part, { effort: "short", seed });
      report(part.name, { seed, [part.counted]: rounds, ...figures });
      expect(faults).toEqual([]);
    },
    180_000,
  );

  it.skipIf(lack !== undefined).each(part.guards)(
    "notices when this is gone: $name",
    async (guard) => {
      const fault = await noticed(part, guard, seed);
      expect(fault, `seed ${seed}`).toMatch(guard.shows);
    },
    180_000,
  );
});
