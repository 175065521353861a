import { z } from "zod";
import { ChestError, ERRORS, type ErrorCode } from "./errors.ts";

/** The one shape of a failure, on REST, on MCP and in the CLI's JSON. */
export const errorEnvelope = z.object({
  ok: z.literal(false),
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

export function toEnvelope({ code, message, hint, details }: ChestError): ErrorEnvelope {
  return {
    ok: false,
    error: { code, message, ...(hint === undefined ? {} : { hint }), ...(details === undefined ? {} : { details }) },
  };
}

/** Restores an error from its envelope; undefined if its code is not one of ours. */
export function fromEnvelope({ error }: ErrorEnvelope): ChestError | undefined {
  if (!Object.hasOwn(ERRORS, error.code)) return undefined;
  return new ChestError(error.code as ErrorCode, error.message, { hint: error.hint, details: error.details });
}
