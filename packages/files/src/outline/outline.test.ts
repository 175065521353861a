import { chunksOf } from "@chest/core/files";
import { expect, it } from "vitest";
import { openOutline } from "./outline.ts";

const outline = openOutline((grammar, error) => {
  throw new Error(`the grammar of ${grammar} failed`, { cause: error });
});

/** `id from-to` of each chunk. */
async function outlineOf(file: string, text: string): Promise<string[]> {
  const chunks = chunksOf(text.split(/(?<=\n)/), await outline.partsOf(file, text));
  return chunks.map(({ id, startLine, endLine }) => `${id} ${startLine}-${endLine}`);
}

const body = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

it("knows what JavaScript consists of: what stands above goes with what is below", async () => {
  const text = `// A licence.
import { a } from "a";
import b from "b";

/** Returns its argument. */
export function first(x) {
  return x;
}

class Second {
  method() {}
}
`;
  expect(await outlineOf("a.mjs", text)).toEqual(["import 1-3", "function:first 4-8", "class:Second 9-12"]);
});

it("knows TypeScript with types and decorators, and JSX where it belongs", async () => {
  const text = `import type { A } from "./a.ts";

export interface Shape {
  area(): number;
}

type Many = Shape[];
enum Colour { Red, Blue }

@injectable()
export abstract class Square implements Shape {
  area = () => <number>4;
}

export default function main(): void {}
`;
  expect(await outlineOf("a.ts", text)).toEqual([
    "import 1-1",
    "interface:Shape 2-5",
    "type:Many 6-7",
    "enum:Colour 8-8",
    "class:Square 9-13",
    "function:main 14-15",
  ]);
  expect(await outlineOf("b.tsx", "export const App = () => (\n  <main>\n    <p />\n  </main>\n);\n")).toEqual([
    "const:App 1-5",
  ]);
});

it("knows Python", async () => {
  const text = `"""A module."""
from __future__ import annotations
import os

@cache
def load(path):
    return os.stat(path)


# What follows is a class.
class Loader(Base):
    def run(self):
        pass

async def main():
    pass
`;
  expect(await outlineOf("a.py", text)).toEqual([
    "block 1-1",
    "import 2-3",
    "function:load 4-7",
    "class:Loader 8-13",
    "function:main 14-16",
  ]);
});

it("knows Go, and whose method it is", async () => {
  const text = `package main

import "fmt"

// Store keeps.
type Store struct {
	path string
}

func (s *Store) Open() error {
	return nil
}

func main() { fmt.Println() }
`;
  expect(await outlineOf("a.go", text)).toEqual([
    "import 1-3",
    "type:Store 4-8",
    "method:Store.Open 9-12",
    "function:main 13-14",
  ]);
});

it("knows Rust", async () => {
  const text = `use std::io;

/// Documented.
#[derive(Debug)]
pub struct Point<T> {
    x: T,
}

impl<T: Display> Display for Point<T> {
    fn fmt(&self) {}
}

pub trait Area { fn area(&self); }

fn main() {}
`;
  expect(await outlineOf("a.rs", text)).toEqual([
    "import 1-1",
    "struct:Point 2-7",
    "impl:Display for Point<T> 8-11",
    "trait:Area 12-13",
    "function:main 14-15",
  ]);
});

it("knows Java", async () => {
  const text = `package a.b;

import java.util.List;

/** Documented. */
@Deprecated
public class Loader<T> extends Base {
  public Loader() {}
}

record Point(int x) {}
`;
  expect(await outlineOf("A.java", text)).toEqual(["import 1-3", "class:Loader 4-9", "class:Point 10-11"]);
});

it("knows the headings of Markdown to the third level, and none in a fence", async () => {
  const text = `Before.

# Title

\`\`\`sh
# no heading
\`\`\`

## Part one
Text.

#### Too deep

Set out
-------

## Part one
### Inner
`;
  expect(await outlineOf("a.md", text)).toEqual([
    "heading:Title 1-8",
    "heading:Part one 9-13",
    "heading:Set out 14-16",
    "heading:Part one#2 17-17",
    "heading:Inner 18-18",
  ]);
});

it("takes a long class apart by its methods, and a long function by its statements", async () => {
  const methods = body(10, (at) => `  method${at}() {\n${body(8, () => "    work();\n")}  }\n`);
  const ids = (await outlineOf("a.ts", `class Long {\n${methods}}\n`)).map((line) => line.split(" ")[0]);
  expect(ids).toEqual(["class:Long", ...Array.from({ length: 10 }, (_, at) => `method:Long.method${at}`)]);

  const statements = body(30, (at) => `    it("does ${at}", () => {\n      work();\n    });\n`);
  const chunks = await outlineOf("a.test.ts", `describe("x", () => {\n${statements}});\n`);
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks.every((line) => line.startsWith("block:describe"))).toBe(true);
});

it("makes something of what does not parse, and nothing of what it does not know", async () => {
  const broken = `function fine() {\n  return 1;\n}\n)) class {{{ ${"(".repeat(500)}\nfunction alsoFine() {}\n`;
  expect(await outlineOf("a.ts", broken)).not.toEqual([]);
  expect(await outline.partsOf("a.xyz", "text")).toBeUndefined();
  expect(await outline.partsOf("Makefile", "all:\n")).toBeUndefined();
  expect(await outline.partsOf("a.ts", "x;\n".repeat(400_000))).toBeUndefined();
});

it("is not overwhelmed by what nests without end", async () => {
  const sum = body(3000, (at) => `  + value${at}\n`);
  expect((await outlineOf("a.ts", `const sum = 0\n${sum};\n`)).length).toBeGreaterThan(0);
  expect((await outlineOf("a.js", `${"[\n".repeat(2000)}${"]\n".repeat(2000)}`)).length).toBeGreaterThan(0);
});
