import { z } from "zod";

const DIGITS = /^\d+$/;
const ID = /^[1-9]\d*$/;

const reading = (form: RegExp, number: z.ZodInt) =>
  z.preprocess((input) => (typeof input === "string" && form.test(input) ? Number(input) : input), number);

const whole = (error: string) => z.int({ error: ({ code }) => (code === "invalid_type" ? error : undefined) });

/** Reads a number in an address or a flag: decimal digits only, no other notation of JavaScript. */
export function numeral(least: number, most?: number) {
  const number = whole("is not a whole number: decimal digits only").min(least);
  return reading(DIGITS, most === undefined ? number : number.max(most));
}

/** Reads an id in the same way, without a leading zero: each row has one address. */
export const idNumeral = () => reading(ID, whole("is not an id: decimal digits only, the first not 0").positive());
