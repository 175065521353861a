import { expect, it } from "vitest";
import { assertOpensStores, loadStores } from "./node-version.ts";

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

it("says which package is missing where npm left the optional one out", async () => {
  const absent = Object.assign(new Error("Cannot find package 'better-sqlite3' imported from x"), {
    code: "ERR_MODULE_NOT_FOUND",
  });

  await expect(loadStores(() => Promise.reject(absent))).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringContaining("better-sqlite3"),
    hint: expect.stringContaining("--omit=optional"),
  });
  await expect(loadStores(() => Promise.reject(new TypeError("another")))).rejects.toThrow(TypeError);
  expect(await loadStores(async () => 7)).toBe(7);
});
