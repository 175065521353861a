/** Facts that a client needs to reach this backend. */
export interface Connection {
  readonly url: string;
  readonly token: string;
  /** Undefined when the token came from the environment. */
  readonly tokenFile: string | undefined;
  readonly node: string;
  /** The built stdio client. */
  readonly client: string;
}

/** MCP over HTTP, ready to paste: a header without a value states nothing. */
export const httpConfiguration = ({ url, token }: Connection) => ({
  mcpServers: {
    "chest-memory": {
      type: "http",
      url: `${url}/mcp`,
      headers: { Authorization: `Bearer ${token}`, "X-Chest-Project": "", "X-Chest-Session": "" },
    },
  },
});

/** The stdio client beside the agent, ready to paste. */
export const stdioConfiguration = ({ url, token, tokenFile, node, client }: Connection) => ({
  mcpServers: {
    "chest-memory": {
      command: node,
      args: [client],
      env: {
        CHEST_MODE: "remote",
        CHEST_REMOTE_URL: url,
        ...(tokenFile === undefined ? { CHEST_API_TOKEN: token } : { CHEST_API_TOKEN_FILE: tokenFile }),
      },
    },
  },
});

const setupCommand = ({ url, tokenFile }: Connection): string =>
  ["npm run setup -- --docker", url, ...(tokenFile === undefined ? [] : ["--token-file", asWord(tokenFile)])].join(" ");

const asWord = (path: string): string => (/^[\w./:\\~-]+$/.test(path) ? path : JSON.stringify(path));

/** First screen of a started backend. */
export function welcome(connection: Connection, dataDir: string, page: string): string {
  const { url, tokenFile } = connection;
  return `Chest is running.

  page         ${page}
               opens what is known in a browser of this machine, once, within ten minutes; \`chest-index page\` makes
               another link
  address      ${url}
  data folder  ${dataDir}
  token        ${tokenFile === undefined ? "as set in the environment" : `in ${tokenFile}`}

Connect Claude Code, with skill, rules and hooks, from this folder in another terminal:

  ${setupCommand(connection)}

Or paste one of these into an agent's settings. The stdio client keeps writes while the backend is away:

${JSON.stringify(stdioConfiguration(connection), null, 2)}

MCP over HTTP needs nothing on the agent's side; it holds the token, so keep it to yourself. X-Chest-Project takes
the key of the project, host/org/repo as its git remote has it: empty, the agent reads every project and writes for
the team. X-Chest-Session takes an id of the agent's session, where its client can fill one in:

${JSON.stringify(httpConfiguration(connection), null, 2)}

Ctrl-C stops it.
`;
}
