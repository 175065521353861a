import openapiTypescript, { astToString } from "openapi-typescript";
import { expect, it } from "vitest";
import { openSqliteApp } from "../testing/sqlite-app.ts";

// After a route has changed, `npm run unit -- sdk-types -u` writes the types anew.
it("agrees with the types of the published client", async () => {
  const backend = await openSqliteApp();
  const document = (await backend.app.inject("/openapi.json")).json();
  await backend.close();

  // A request may omit a field that has a default.
  const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }));

  await expect(types).toMatchFileSnapshot("../../../../packages/sdk/src/generated/schema.ts");
});
