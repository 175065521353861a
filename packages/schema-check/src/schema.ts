/** A model of the Prisma schema, which is a table of the store. */
export interface Model {
  readonly name: string;
  /** All columns of the table, also those of types that Prisma's client does not read. */
  readonly columns: readonly string[];
  /** Fields that the client reads, in the form of its configuration. */
  readonly fields: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly kind: "scalar";
  readonly type: string;
  readonly isList?: true;
}

const MODEL = /^model (\w+) \{\n([^}]*)^\}/gm;
const FIELD = /^ {2}(\w+) +(\w+)(\[\])?/;
const SCALARS = ["Int", "BigInt", "Float", "String", "Boolean", "Bytes", "DateTime"];
/** A column of another type, such as a vector. */
const UNSUPPORTED = "Unsupported";

/** Reads the models of a schema: columns alone, in the plain form that the two files of this repository have. */
export const modelsOf = (schema: string): Model[] =>
  [...schema.matchAll(MODEL)].map(([, name = "", body = ""]) => {
    const lines = body.split("\n").map((line) => FIELD.exec(line));
    // A field of any other type is a relation, and no column.
    const columns = lines.filter((line) => line && [...SCALARS, UNSUPPORTED].includes(line[2] ?? ""));
    return {
      name,
      columns: columns.map((line) => line?.[1] ?? ""),
      fields: columns.flatMap((line) => (line && line[2] !== UNSUPPORTED ? fieldOf(line) : [])),
    };
  });

const fieldOf = ([, name = "", type = "", list]: RegExpExecArray): Field => ({
  name,
  kind: "scalar",
  type,
  ...(list ? { isList: true } : {}),
});
