import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { schemaOf } from "./client.ts";
import { modelsOf } from "./schema.ts";

interface Generated {
  readonly models: Readonly<Record<string, { readonly fields: readonly { readonly kind: string }[] }>>;
}

it("reads the models as Prisma's generator does", () => {
  const file = join(import.meta.dirname, "../../store/src/generated/internal/class.ts");
  const [, written = ""] = /^config\.runtimeDataModel = JSON\.parse\((".*")\)$/m.exec(readFileSync(file, "utf8")) ?? [];
  const { models } = JSON.parse(JSON.parse(written)) as Generated;
  const generated = Object.entries(models).map(([name, { fields }]) => ({
    name,
    fields: fields.filter(({ kind }) => kind === "scalar"),
  }));
  expect(generated.length).toBeGreaterThan(30);
  expect(modelsOf(schemaOf("sqlite")).map(({ name, fields }) => ({ name, fields }))).toEqual(generated);
});

it("knows a column of a type that the client cannot read, and no relation", () => {
  const [model] = modelsOf(
    'model found {\n  id BigInt @id\n  codes String[]\n  near Unsupported("halfvec")\n  other others @relation(fields: [id])\n\n  @@unique([codes])\n}\n',
  );
  expect(model).toEqual({
    name: "found",
    columns: ["id", "codes", "near"],
    fields: [
      { name: "id", kind: "scalar", type: "BigInt" },
      { name: "codes", kind: "scalar", type: "String", isList: true },
    ],
  });
});
