import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";

/** One validator for all servers, made when first needed: making one costs more than answering a call. */
export const sharedValidator: jsonSchemaValidator = lazily(() => new AjvJsonSchemaValidator());

function lazily(open: () => jsonSchemaValidator): jsonSchemaValidator {
  let opened: jsonSchemaValidator | undefined;
  return {
    getValidator(schema) {
      opened ??= open();
      return opened.getValidator(schema);
    },
  };
}
