import { expect, it } from "vitest";
import { assertOpensStores } from "./node-version.ts";

it("takes the Node that this release is tested on, and newer ones", () => {
  for (const version of ["24.0.0", "26.1.0"]) expect(() => assertOpensStores(version)).not.toThrow();
});

it("refuses an older one before its driver can crash, and says what to do", () => {
  expect(() => assertOpensStores("20.20.2")).toThrow(
    expect.objectContaining({
      message: expect.stringContaining("20.20.2"),
      hint: expect.stringContaining("CHEST_MODE=remote"),
    }),
  );
});
