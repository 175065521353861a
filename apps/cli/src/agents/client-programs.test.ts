import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepPackage, removePrograms } from "./client-programs.ts";
import { removeEmptyFolders } from "./created-files.ts";

let home: string;
let dataDir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "chest-kept-"));
  dataDir = join(home, "däta dir");
  write("_npx/1/node_modules/chest-memory/package.json", '{"type":"module","optionalDependencies":{"driver":"1"}}');
  write("_npx/1/node_modules/chest-memory/dist/chest-memory.js", "1");
  write("_npx/1/node_modules/driver/package.json", '{"dependencies":{"@of/addon":"1","absent":"1"}}');
  write("_npx/1/node_modules/@of/addon/package.json", "{}");
  write("_npx/1/node_modules/other/package.json", "{}");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}
const runners = () => join(home, "_npx/1/node_modules/chest-memory");
const kept = (path: string) => join(dataDir, "bin/client/node_modules", path);
const keep = (isDry = false) => keepPackage(runners(), { dataDir, isDry });

describe("the programs of a package runner's copy", () => {
  it("are kept in the data folder, with the packages that they load and no others", async () => {
    expect(await keep(true)).toMatchObject({ outcome: "added" });
    expect(existsSync(dataDir)).toBe(false);
    expect(await keep()).toMatchObject({ step: "programs", outcome: "added", path: join(dataDir, "bin/client") });
    expect(readFileSync(kept("chest-memory/dist/chest-memory.js"), "utf8")).toBe("1");
    expect(existsSync(kept("driver/package.json"))).toBe(true);
    expect(existsSync(kept("@of/addon/package.json"))).toBe(true);
    expect(existsSync(kept("other"))).toBe(false);
    expect(await keep()).toMatchObject({ outcome: "unchanged" });
  });

  it("are replaced whole by those of another release", async () => {
    write("_npx/1/node_modules/chest-memory/dist/former.js", "1");
    await keep();
    rmSync(join(runners(), "dist/former.js"));
    write("_npx/1/node_modules/chest-memory/dist/chest-memory.js", "2");
    expect(await keep(true)).toMatchObject({ outcome: "updated" });
    expect(readFileSync(kept("chest-memory/dist/chest-memory.js"), "utf8")).toBe("1");
    expect(await keep()).toMatchObject({ outcome: "updated" });
    expect(readFileSync(kept("chest-memory/dist/chest-memory.js"), "utf8")).toBe("2");
    expect(existsSync(kept("chest-memory/dist/former.js"))).toBe(false);
  });

  it("are kept after a setup that was cut off in the middle", async () => {
    write("däta dir/bin/client.new/node_modules/chest-memory/half", "");
    write("däta dir/bin/client.old/node_modules/chest-memory/half", "");
    expect(await keep()).toMatchObject({ outcome: "added" });
    expect(existsSync(kept("chest-memory/half"))).toBe(false);
    expect(existsSync(join(dataDir, "bin/client.old"))).toBe(false);
  });

  it("go with what setup made for them", async () => {
    await keep();
    expect(removePrograms({ dataDir, isDry: true })).toMatchObject([{ outcome: "removed" }]);
    expect(existsSync(kept("chest-memory"))).toBe(true);
    removePrograms({ dataDir, isDry: false });
    await removeEmptyFolders(dataDir, { isLast: true });
    expect(existsSync(dataDir)).toBe(false);
    expect(removePrograms({ dataDir, isDry: false })).toEqual([]);
  });
});
