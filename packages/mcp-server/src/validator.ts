import type { JsonSchemaType, jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import { z } from "zod";

/**
 * Checks a client's answer to an elicitation by zod. The SDK's own validator is Ajv, which costs an agent's
 * start 15 ms and is used for nothing else.
 */
export const zodValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    const parsed = z.fromJSONSchema({ ...schema } as Record<string, unknown>);
    return (input: unknown) => {
      const { success, data, error } = parsed.safeParse(input);
      return success
        ? { valid: true as const, data: data as T, errorMessage: undefined }
        : { valid: false as const, data: undefined, errorMessage: z.prettifyError(error) };
    };
  },
};
