import { asWord } from "@chest/runtime/shell-words";

/** Facts that a client needs to reach this backend. */
export interface Connection {
  readonly url: string;
  /** Undefined when the token came from the environment. */
  readonly tokenFile: string | undefined;
  /** The built stdio client and its Node; undefined where npm has to fetch it. */
  readonly client: { readonly node: string; readonly file: string } | undefined;
}

// The shell of Windows cannot insert the content of a file into a command.
const IS_WINDOWS = process.platform === "win32";

// biome-ignore lint/suspicious/noTemplateCurlyInString: the agent replaces this by a variable of its own environment.
const TOKEN_OF_ENVIRONMENT = "${CHEST_API_TOKEN}";

const PLACE = { "X-Chest-Project": "", "X-Chest-Session": "" };

/**
 * Configuration of MCP over HTTP, ready to paste. The token stays in its file, and Claude Code reads it at each
 * connection. A header with an empty value counts as absent.
 */
export const httpConfiguration = ({ url, tokenFile }: Connection) => ({
  mcpServers: {
    "chest-memory": {
      type: "http",
      url: `${url}/mcp`,
      ...(tokenFile === undefined || IS_WINDOWS
        ? { headers: { Authorization: `Bearer ${TOKEN_OF_ENVIRONMENT}`, ...PLACE } }
        : { headers: PLACE, headersHelper: headersFrom(tokenFile) }),
    },
  },
});

/** Shell command that prints the request headers. */
const headersFrom = (file: string): string => `printf '{"Authorization":"Bearer %s"}' "$(cat ${asWord(file)})"`;

/** Configuration of the stdio client beside the agent, ready to paste. */
export const stdioConfiguration = ({ url, tokenFile, client }: Connection) => ({
  mcpServers: {
    "chest-memory": {
      ...(client ? { command: client.node, args: [client.file] } : { command: "npx", args: ["-y", "chest-memory"] }),
      env: {
        CHEST_MODE: "remote",
        CHEST_REMOTE_URL: url,
        ...(tokenFile === undefined ? { CHEST_API_TOKEN: TOKEN_OF_ENVIRONMENT } : { CHEST_API_TOKEN_FILE: tokenFile }),
      },
    },
  },
});

const setupCommand = ({ url, tokenFile, client }: Connection): string =>
  [
    client ? "npm run setup -- --docker" : "npx -y chest-memory setup --docker",
    url,
    ...(tokenFile === undefined ? [] : ["--token-file", asWord(tokenFile)]),
  ].join(" ");

const pageCommand = ({ client }: Connection): string =>
  `${client ? "npm run -s chest-index --" : "npx -y -p chest-memory chest-index"} page`;

const whichToken = ({ tokenFile }: Connection): string =>
  tokenFile === undefined ? "the token set here as CHEST_API_TOKEN" : `the text of ${tokenFile}`;

/**
 * First lines printed by a started backend. They contain no token, since screens are shared and logs are kept; the
 * sign-in link works once, on this machine.
 */
export function welcome(connection: Connection, dataDir: string, page: string): string {
  const { url, tokenFile } = connection;
  return `Chest is running.

  page         ${page}
               opens in a browser on this machine, once, within ten minutes; another link:
               ${pageCommand(connection)}
  address      ${url}
  data folder  ${dataDir}
  token        ${tokenFile === undefined ? "as set in the environment" : `in ${tokenFile}`}

Connect the agents of this machine, with hooks, ${connection.client ? "from this folder in" : "in"} another terminal:

  ${setupCommand(connection)}

Or paste one of these into an agent's settings. The stdio client queues writes while the backend is away:

${JSON.stringify(stdioConfiguration(connection), null, 2)}

MCP over HTTP needs no program beside the agent; Claude Code accepts it unchanged. X-Chest-Project is the key of the
project, host/org/repo as in its git remote; if it is empty, the agent reads every project and writes for the team.
X-Chest-Session is an id of the agent's session, if its client can set one:

${JSON.stringify(httpConfiguration(connection), null, 2)}

Another agent sends the header \`Authorization: Bearer …\` with ${whichToken(connection)}.

Ctrl-C stops it.
`;
}
