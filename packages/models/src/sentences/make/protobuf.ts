/** A field of a message in protobuf's wire form: a number, or the bytes of a text, a message or packed numbers. */
export interface Field {
  readonly number: number;
  readonly value: number | Buffer;
}

/** The fields of a message, in their order. */
export function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  };
  const take = (length: number) => {
    const part = bytes.subarray(at, at + length);
    at += length;
    return part;
  };
  while (at < bytes.length) {
    const key = varint();
    const [number, kind] = [Math.floor(key / 8), key % 8];
    if (kind === 0) yield { number, value: varint() };
    else if (kind === 2) yield { number, value: take(varint()) };
    else if (kind === 5) yield { number, value: take(4) };
    else if (kind === 1) yield { number, value: take(8) };
    else throw new Error(`protobuf field ${number} has the unknown kind ${kind}`);
  }
}

/** Values of a field that holds bytes. */
export const all = (message: Buffer, number: number): Buffer[] =>
  [...fieldsOf(message)].flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  );

/** Text of a field, empty where it is not there. */
export const text = (message: Buffer, number: number): string => all(message, number)[0]?.toString("utf8") ?? "";

/** The first of packed numbers. */
export const firstVarint = (packed: Buffer): number => {
  let [value, factor] = [0, 1];
  for (const byte of packed) {
    value += (byte & 127) * factor;
    if (byte < 128) return value;
    factor *= 128;
  }
  throw new Error("a packed number is cut off");
};
