/** The addresses that an identity provider must know, and those in the app that a sign-in may return to. */
import type { IdentityProvider } from '../../../model/person/identity-provider.ts';

export const signOnPrefix = '/ui/auth';

export interface SignOnUrls {
  readonly start: string;
  /** OpenID Connect: where the provider sends the browser back. */
  readonly callback: string;
  /** SAML: the assertion consumer service, and our metadata, whose address is also our entity id. */
  readonly acs: string;
  readonly metadata: string;
}

/** `ownUrl`: scheme, host and port under which browsers reach the server. */
export function signOnUrls({ id, connection }: IdentityProvider, ownUrl: string): SignOnUrls {
  const base = `${ownUrl}${signOnPrefix}/${connection.kind}/${id}`;
  return {
    start: `${base}/start`,
    callback: `${base}/callback`,
    acs: `${base}/acs`,
    metadata: `${base}/metadata`,
  };
}

const nextLengthMax = 2000;

/** A path of the app, below `/ui`. Anything else, such as an address of another site, becomes the app's first page. */
export function safeNext(next: string | undefined): string {
  const home = '/ui/';
  if (next === undefined || !next.startsWith('/') || next.length > nextLengthMax) return home;
  const base = 'http://app.invalid';
  const url = URL.parse(`/ui${next}`, base);
  if (url?.origin !== base || !url.pathname.startsWith(home)) return home;
  const isPage = !/^\/ui\/+(?:api|auth)(?:\/|$)/i.test(decodeURIComponentOr(url.pathname));
  return isPage ? url.pathname + url.search : home;
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
