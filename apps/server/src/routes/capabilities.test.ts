import { capabilities } from "@chest/contracts";
import { expect, it } from "vitest";
import { openApp } from "../testing/app.ts";
import { AUTHORIZATION } from "../testing/token.ts";

it("says what this backend speaks and offers, and no more", async () => {
  const { app } = await openApp({ CHEST_MAX_CONTENT_CHARS: "5000" });
  const answer = (await app.inject({ url: "/capabilities", headers: AUTHORIZATION })).json();

  expect(capabilities.parse(answer)).toEqual({
    api_version: "1.6.0",
    min_required_client_version: "1.5.0",
    server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    server_has_embedder: false,
    server_time: expect.stringMatching(/Z$/),
    features: ["idempotency", "mcp-http"],
    embedding: { ready: false, active: null, accepted: [] },
    limits: { content_chars: 5000, tool_body_bytes: 1_048_576 },
  });
});
