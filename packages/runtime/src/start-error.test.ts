import { expect, it } from "vitest";
import { explain, StartError } from "./start-error.ts";

it("is shown as one line, with the hint on its own", () => {
  expect(explain("chest-server", new StartError("port 8765 is in use", "set `CHEST_PORT` to another one"))).toBe(
    "chest-server: port 8765 is in use\nhint: set `CHEST_PORT` to another one",
  );
  expect(explain("chest-server", new StartError("no"))).toBe("chest-server: no");
});
