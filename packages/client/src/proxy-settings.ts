/** The proxies of the environment, as text. */
export interface ProxySettings {
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  /** `NO_PROXY`: hosts, `.domains` and `host:port`, by comma or space; `*` is all. */
  readonly except?: string | undefined;
}

/** Lower case counts first, as with curl. */
export const readProxy = (env: Readonly<Record<string, string | undefined>>): ProxySettings => ({
  https: env.https_proxy || env.HTTPS_PROXY,
  http: env.http_proxy || env.HTTP_PROXY,
  except: env.no_proxy || env.NO_PROXY,
});
