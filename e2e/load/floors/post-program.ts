import { bearerAuth, openHttpApp } from "../libraries.ts";
import { readSections } from "../texts.ts";
import { TransactionFloor } from "./transaction.ts";

// The least that an authenticated POST can be: a token, a body that is parsed, an answer. `TOKEN` and `PORT` say where.
// `/transaction` also writes a memory's rows to the new database that `DATABASE` names, before it answers.
const app = openHttpApp();
await app.register(bearerAuth(), { keys: new Set([process.env.TOKEN]) });
app.post("/", async () => ({ ok: true }));
if (process.env.DATABASE) {
  const write = (await TransactionFloor.open(process.env.DATABASE)).prepared(readSections());
  app.post("/transaction", async () => {
    write();
    return { ok: true };
  });
}
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
