import { bearerAuth, openHttpApp } from "../libraries.ts";

// The least that an authenticated POST can be: a token, a body that is parsed, an answer. `TOKEN` and `PORT` say where.
const app = openHttpApp();
await app.register(bearerAuth(), { keys: new Set([process.env.TOKEN]) });
app.post("/", async () => ({ ok: true }));
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
