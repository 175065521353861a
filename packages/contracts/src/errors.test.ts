import { describe, expect, it } from "vitest";
import { errorEnvelope, fromEnvelope, toEnvelope } from "./envelope.ts";
import { ChestError, ERROR_CODES, ERRORS, internalError } from "./errors.ts";

describe("the codes", () => {
  it("have the status and the retry of the contract", () => {
    const table = Object.fromEntries(
      Object.entries(ERRORS).map(([code, { status, retry }]) => [code, `${status} ${retry}`]),
    );
    expect(table).toMatchInlineSnapshot(`
      {
        "ALREADY_DONE": "409 no",
        "BACKEND_PROTOCOL_ERROR": "502 no",
        "BACKEND_UNREACHABLE": "502 yes",
        "CLIENT_TOO_OLD": "426 no",
        "CONTENT_CHANGED": "409 no",
        "DECLINED": "403 no",
        "FORBIDDEN": "403 no",
        "IDEMPOTENCY_MISMATCH": "409 no",
        "INTERNAL_ERROR": "500 yes",
        "INVALID_INPUT": "400 no",
        "NOT_FOUND": "404 no",
        "OUTSIDE_ROOTS": "403 no",
        "PAYLOAD_TOO_LARGE": "413 no",
        "PROTECTED": "403 no",
        "RATE_LIMITED": "429 after-delay",
        "REJECTED": "422 no",
        "STORAGE_FULL": "507 no",
        "UNAUTHORIZED": "401 no",
        "UNAVAILABLE": "503 after-delay",
        "UNKNOWN_TOOL": "404 no",
        "VALIDATION_ERROR": "400 no",
        "VERSION_CONFLICT": "409 no",
      }
    `);
  });

  it("are never a success", () => {
    for (const code of ERROR_CODES) expect(new ChestError(code, "x").status).toBeGreaterThanOrEqual(400);
  });
});

describe("an envelope", () => {
  it("leaves out what there is nothing to say of", () => {
    expect(toEnvelope(new ChestError("UNAUTHORIZED", "no"))).toStrictEqual({
      ok: false,
      error: { code: "UNAUTHORIZED", message: "no" },
    });
  });

  it.each(ERROR_CODES)("carries %s to the other side of a wire, and no cause", (code) => {
    const error = new ChestError(code, "what is so", {
      hint: "what to do",
      details: { id: 7 },
      cause: new Error("SQL"),
    });
    const wire = JSON.stringify(toEnvelope(error));
    expect(wire).not.toContain("SQL");
    const back = fromEnvelope(errorEnvelope.parse(JSON.parse(wire)));
    expect(back).toMatchObject({
      code,
      message: "what is so",
      hint: "what to do",
      details: { id: 7 },
      status: error.status,
    });
  });

  it.each(["NEW_CODE", "", "toString", "__proto__", "constructor"])("of the code %j is none of ours", (code) => {
    expect(fromEnvelope({ ok: false, error: { code, message: "?" } })).toBeUndefined();
  });
});

describe("a failure of our own", () => {
  it("says nothing of what went wrong but the request's id", () => {
    const error = internalError("r-1", new Error("SELECT secret FROM memories"));
    expect(JSON.stringify(toEnvelope(error))).not.toContain("SELECT");
    expect(error).toMatchObject({ code: "INTERNAL_ERROR", details: { request_id: "r-1" }, cause: expect.any(Error) });
  });
});
