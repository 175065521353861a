import { type About, SETTINGS } from "./about.ts";

/** Name in the MCP Registry: it proves who publishes, and the npm package states it as `mcpName`. */
const registryName = ({ owner, name }: Pick<About, "owner" | "name">): string => `io.github.${owner}/${name}`;

/** `server.json`: the registry lists packages and public addresses, and a team's backend is no public address. */
export function registryEntry(about: About) {
  const { name, version } = about;
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: registryName(about),
    title: "Chest",
    description: "Shared memory for a team's coding agents",
    version,
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        transport: { type: "stdio" },
        environmentVariables: [
          { name: "CHEST_MODE", description: "Where the store is", default: "remote", choices: ["local", "remote"] },
          { name: "CHEST_REMOTE_URL", description: SETTINGS.address.description, format: "string" },
          { name: "CHEST_API_TOKEN_FILE", description: SETTINGS.token_file.description, format: "filepath" },
          { name: "CHEST_API_TOKEN", description: "The token itself, instead of a file", isSecret: true },
        ],
      },
    ],
  };
}
