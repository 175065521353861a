import { hash, randomBytes } from "node:crypto";

/** A member's token as sent: `cht_<id>_<256 bits>`. */
export interface TokenParts {
  readonly id: number;
  readonly secret: string;
}

const TOKEN = /^cht_([1-9]\d{0,14})_([\w-]{43})$/;

/** Splits the text of a member's token into its parts; undefined for any other text. */
export function readToken(text: string): TokenParts | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  return id !== undefined && secret !== undefined ? { id: Number(id), secret } : undefined;
}

export const writeToken = ({ id, secret }: TokenParts): string => `cht_${id}_${secret}`;

/** 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** Hash stored for a secret. A secret holds 256 bits, so a plain digest reveals nothing. */
export const hashSecret = (secret: string): string => hash("sha256", secret, "hex");
