import { createHash, randomBytes } from "node:crypto";

/** Makes a code verifier with its challenge, as a client does. */
export function pkce() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Browser that keeps cookies and does not follow redirects. */
export class CookieBrowser {
  readonly #cookies = new Map<string, string>();
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  forget(): void {
    this.#cookies.clear();
  }

  async go(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const own = { origin: this.#base, "sec-fetch-site": "same-origin" };
    const headers = { ...own, ...(cookie && { cookie }), ...(init.headers as Record<string, string>) };
    const response = await fetch(new URL(url, this.#base), { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", ...value] = pair.split("=");
      const isOver = value.join("=") === "" || attributes.some((each) => /expires=thu, 01 jan 1970/i.test(each));
      if (isOver) this.#cookies.delete(name);
      else this.#cookies.set(name, value.join("="));
    }
    return response;
  }

  post(url: string, body: object): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return this.go(url, { method: "POST", body: JSON.stringify(body), headers });
  }

  /** Signs in with a token, like the page. */
  async signIn(token: string): Promise<void> {
    const answer = await this.post("/api/sign-in", { token });
    if (answer.status !== 200) throw new Error(await answer.text());
  }

  /** Sends an authorization request. @returns its id on the page. */
  async ask(url: string): Promise<string> {
    const answer = await this.go(url);
    const [, uid = ""] = /#\/authorize\/([\w-]+)$/.exec(answer.headers.get("location") ?? "") ?? [];
    if (uid === "" || uid === "failed") throw new Error(`${answer.status} ${answer.headers.get("location")}`);
    return uid;
  }

  /** Answers an authorization request. @returns the address that the client is called back at. */
  async answer(uid: string, decision: object): Promise<URL> {
    const decided = await this.post(`/api/authorizations/${uid}`, decision);
    const { location, error } = (await decided.json()) as { location: string; error?: object };
    if (decided.status !== 200) throw new Error(JSON.stringify(error));
    const back = await this.go(location);
    return new URL(back.headers.get("location") ?? "none:");
  }
}
