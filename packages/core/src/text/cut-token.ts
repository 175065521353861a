const MAX_TOKEN_CHARS = 128;

/** A token short enough for any index: encoded blobs and long addresses are found by how they begin. */
export function cutToken(token: string): string {
  if (token.length <= MAX_TOKEN_CHARS) return token;
  const cut = token.slice(0, MAX_TOKEN_CHARS);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
