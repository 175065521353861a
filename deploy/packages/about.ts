/** Description that every package repeats. */
export interface About {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  /** Account or organisation that publishes. */
  readonly owner: string;
}

/** Settings that a person types in, wherever a program can ask for them. */
export const SETTINGS = {
  address: {
    title: "Address of the backend",
    description: "With its path, such as https://chest.example.org/chest-memory",
  },
  token_file: {
    title: "Token file",
    description: "A file that holds your token and nothing else: the token stays out of every setting",
  },
} as const;

/** Environment of the stdio client before a backend elsewhere. The embedder of this machine is left out of the packages. */
export const clientEnv = (address: string, tokenFile: string) => ({
  CHEST_MODE: "remote",
  CHEST_REMOTE_URL: address,
  CHEST_API_TOKEN_FILE: tokenFile,
  CHEST_CLIENT_EMBED: "false",
});

/** Place in a manifest where its host fills in a value of its own. */
export const filledIn = (name: string): string => `\${${name}}`;
