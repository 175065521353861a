import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/process.ts";
import { FOLDER_ORDERS } from "./folder-orders.ts";
import { circlesAmong, importsOf, sourcesBelow } from "./imports.ts";

const MOST_SOURCES = 25;
const MOST_ROOMS = 25;
const STORE = join(ROOT, "packages/store-sqlite/src");

const members = ["packages", "apps"]
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
  .filter((member) => existsSync(join(ROOT, member, "src")));

describe("the folders", () => {
  it(`hold at most ${MOST_SOURCES} sources each`, () => {
    const counts = new Map<string, number>();
    for (const file of ["packages", "apps", "e2e", "deploy"].flatMap((folder) => sourcesBelow(join(ROOT, folder)))) {
      const folder = relative(ROOT, dirname(file));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect(counts.size).toBeGreaterThan(50);
    expect([...counts].filter(([, count]) => count > MOST_SOURCES)).toEqual([]);
  });

  it(`gives store-sqlite at most ${MOST_ROOMS} files and folders at its top`, () => {
    expect(readdirSync(STORE).filter((name) => name !== "generated").length).toBeLessThanOrEqual(MOST_ROOMS);
  });
});

describe.each(Object.entries(FOLDER_ORDERS))("the folders of %s", (member, { order, ofTypes = false }) => {
  const src = join(ROOT, member, "src");
  const files = sourcesBelow(src).filter((file) => file !== join(src, "index.ts"));
  /** Entry of the order that a file belongs to. */
  const roomOf = (file: string): string => {
    const [top = "", ...below] = relative(src, file).split("/");
    return below.length > 0 || order.includes(top) ? top : ".";
  };

  it("are all in its order", () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].filter((room) => !order.includes(room))).toEqual([]);
  });

  it("import from no later one", () => {
    const imports = files.flatMap(importsOf).filter(({ to, isType }) => to.startsWith(src) && (ofTypes || !isType));
    expect(imports.length).toBeGreaterThan(10);
    const upward = imports
      .filter(({ to }) => !to.includes("/generated/") && existsSync(to))
      .filter(({ from, to }) => order.indexOf(roomOf(to)) > order.indexOf(roomOf(from)))
      .map(({ from, to }) => `${relative(src, from)} imports ${relative(src, to)}`);
    expect(upward).toEqual([]);
  });
});

describe("the doors of core", () => {
  it("are one for each folder of its order", () => {
    const core = join(ROOT, "packages/core");
    const { exports } = JSON.parse(readFileSync(join(core, "package.json"), "utf8"));
    const doors = Object.entries(exports).filter(([door]) => !door.includes("*"));
    const rooms = (FOLDER_ORDERS["packages/core"]?.order ?? []).map((room) =>
      room.endsWith(".ts") ? [`./${room.slice(0, -3)}`, `./src/${room}`] : [`./${room}`, `./src/${room}/index.ts`],
    );
    expect(doors.sort()).toEqual(rooms.sort());
    expect(existsSync(join(core, "src/index.ts"))).toBe(false);
  });
});

describe("the files", () => {
  it.each(members)("of %s form no circle by the values that they import", (member) => {
    const files = sourcesBelow(join(ROOT, member, "src"));
    const imports = files.flatMap(importsOf).filter(({ isType, isLate }) => !isType && !isLate);
    const circles = circlesAmong(files, imports).map((circle) => circle.map((file) => relative(ROOT, file)));
    expect(circles).toEqual([]);
  });
});
