const MAX_TOKEN_CHARS = 128;

/** Cuts a token to a length that any index accepts: encoded blobs and long addresses are found by their beginning. */
export function cutToken(token: string): string {
  if (token.length <= MAX_TOKEN_CHARS) return token;
  const cut = token.slice(0, MAX_TOKEN_CHARS);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
