import { bearerAuth, openHttpApp } from "../libraries.ts";
import { readSections } from "../texts.ts";
import { TransactionFloor } from "./transaction.ts";

// Server that does the least work for an authenticated POST: checks a token, parses the body, answers. `TOKEN` and
// `PORT` configure it. `/transaction` also writes a memory's rows into the new database at `DATABASE` before it
// answers.
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
