export const TOKEN = "a-token-of-the-tests-which-is-long-enough";
export const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };
