import { once } from "node:events";
import { createServer } from "node:net";

/** Finds a free port on 127.0.0.1, for programs that cannot report the port they chose. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a TCP server has an address with a port");
  return address.port;
}
