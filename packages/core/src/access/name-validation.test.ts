import { expect, it } from "vitest";
import { localCaller } from "./caller.ts";
import { projectKeyTrouble, readProjectKey, storableProjectKey } from "./name-validation.ts";

const SECRET = ["gh", "p_", "R2d2".repeat(9)].join("");

it("reads a stated key in its one spelling, and says what is wrong with another", () => {
  expect(readProjectKey("git@Host.Example:Org/repo.git", "--project")).toBe("host.example/Org/repo");
  expect(localCaller("https://Host.Example/Org/repo/").project).toBe("host.example/Org/repo");
  for (const given of ["", " ", "*", "a\nb", "a\u202eb", `host/${SECRET}`, "x".repeat(201)]) {
    expect(projectKeyTrouble(given)).toEqual(expect.any(String));
    expect(() => readProjectKey(given, "--project")).toThrow(/^--project: /);
  }
});

it("makes a key that was found one that can be stored", () => {
  expect(storableProjectKey("https://svc:Pa55word9@Host.Example/Org/repo.git")).toBe("host.example/Org/repo");
  expect(storableProjectKey(`host/${SECRET}`)).toBe("host/[REDACTED]");
  expect(storableProjectKey("two\nlines\u200b")).toBe("twolines");
  expect(storableProjectKey("\u200b")).toBe("unnamed");
});
