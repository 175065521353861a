import { expect, it } from "vitest";
import { noteText, readNote } from "./note.ts";

const TEXT = noteText({ fields: { tags: ["a", "b"], title: "Deploys" }, body: "Tuesdays.\n\n- after the smoke test" });

it("reads a file with the line ends of Windows as one of the other systems", () => {
  expect(readNote(TEXT.replaceAll("\n", "\r\n"), "a.md")).toEqual(readNote(TEXT, "a.md"));
  expect(readNote(`\uFEFF${TEXT.replaceAll("\n", "\r\n")}`, "a.md").fields).toEqual({
    tags: ["a", "b"],
    title: "Deploys",
  });
  expect(() => readNote("---\r\ntags: [a]\r\n", "a.md")).toThrow("its front matter does not end");
  expect(readNote("plain\r\ntext", "a.md")).toEqual({ fields: {}, body: "plain\ntext" });
});
