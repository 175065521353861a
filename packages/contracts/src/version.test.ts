import { describe, expect, it } from "vitest";
import { assertSpoken, type Capabilities } from "./capabilities.ts";
import { compareVersions, MIN_CLIENT_WIRE_VERSION, WIRE_VERSION } from "./version.ts";

describe("versions", () => {
  it.each([
    ["1.6.0", "1.6.0", 0],
    ["1.10.0", "1.9.9", 1],
    ["1.5.0", "1.6.0", -1],
    ["2", "1.99.99", 1],
    ["v1.6", "1.6.0", 0],
    ["V1.6.0", "1.6.0", 0],
    ["1.6.0-beta.2", "1.6.0", 0],
    ["1.6.0+build", "1.6.0-rc", 0],
    [" 1.6.0 ", "1.6.0", 0],
    ["1.6.0.9", "1.6.0", 0],
    ["", "0.0.0", 0],
    ["nonsense", "0.0.1", -1],
  ])("%j against %j is %s", (a, b, sign) => {
    expect(compareVersions(a, b)).toBe(sign);
    expect(compareVersions(b, a) + sign).toBe(0);
  });

  it("of this wire admit a client of 1.5.0", () => {
    expect([WIRE_VERSION, MIN_CLIENT_WIRE_VERSION]).toEqual(["1.6.0", "1.5.0"]);
    expect(compareVersions("1.5.0", MIN_CLIENT_WIRE_VERSION)).toBe(0);
  });

  it("tell a client that is too old, with both numbers and what to do", () => {
    const asking = (min_required_client_version: string) => ({ min_required_client_version }) as Capabilities;
    expect(() => assertSpoken(asking("1.6.0"), "1.6.0")).not.toThrow();
    expect(() => assertSpoken(asking("2.0.0"), "1.6.0")).toThrow(
      expect.objectContaining({
        code: "CLIENT_TOO_OLD",
        message: expect.stringMatching(/1\.6\.0.*2\.0\.0/),
        details: { min_required_client_version: "2.0.0", client: "1.6.0" },
        hint: expect.stringContaining("update the client"),
      }),
    );
  });
});
