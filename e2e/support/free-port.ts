import { once } from "node:events";
import { createServer } from "node:net";

/** A port on 127.0.0.1 that was free a moment ago; for programs that cannot be asked which one they took. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a TCP server has an address with a port");
  return address.port;
}
