import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unpack } from "./unpack.mjs";

describe("the archive of a package", () => {
  let dir;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "chest-unpack-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  function packed(files, format) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(dir, "package", name, ".."), { recursive: true });
      writeFileSync(join(dir, "package", name), text, { mode: name.startsWith("bin/") ? 0o755 : 0o600 });
    }
    return gzipSync(execFileSync("tar", ["-C", dir, `--format=${format}`, "-cf", "-", "package"]));
  }
  const out = (...parts) => join(dir, "out", ...parts);

  it.each(["ustar", "pax", "gnu"])(
    "in the form of %s gives its files, with long names, umlauts and what may be run",
    async (format) => {
      const long = `${"folder-of-a-long-name/".repeat(format === "ustar" ? 6 : 12)}index.js`;
      const files = {
        "package.json": "{}",
        [long]: "long",
        "lib/ümlaut.js": "x".repeat(1500),
        "bin/run": "#!",
        "empty.js": "",
      };

      await unpack(packed(files, format), out(), () => true);

      for (const [name, text] of Object.entries(files)) expect(readFileSync(out(name), "utf8")).toBe(text);
      expect(statSync(out("bin/run")).mode & 0o111).not.toBe(0);
      expect(statSync(out("package.json")).mode & 0o111).toBe(0);
    },
  );

  it("gives only what is wanted", async () => {
    const asked = [];
    const bytes = packed({ "a.js": "a", "a.d.ts": "types" }, "ustar");
    await unpack(bytes, out(), (path) => asked.push(path) > 0 && path.endsWith(".js"));
    expect(asked.sort()).toEqual(["a.d.ts", "a.js"]);
    expect(() => readFileSync(out("a.d.ts"))).toThrow("ENOENT");
  });

  it("writes nothing outside of the package", async () => {
    const bytes = gzipSync(
      execFileSync("tar", [
        "-C",
        dir,
        "-P",
        "--transform=s,^.*$,package/../../outside.js,",
        "-cf",
        "-",
        "/etc/hostname",
      ]),
    );
    await expect(unpack(bytes, out(), () => true)).rejects.toThrow("outside of itself");
    expect(() => readFileSync(join(dir, "outside.js"))).toThrow("ENOENT");
  });
});
