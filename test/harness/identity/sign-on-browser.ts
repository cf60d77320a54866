/** A browser that signs in by an identity provider at a test server: it keeps cookies and follows what the server says. */
import type { Answer, TestServer } from '../server/test-server.ts';

export interface SignOnBrowser {
  /** Goes where the button of a provider leads. Returns the address at the provider. */
  start(path: string): Promise<string>;
  /** Comes back to an address of the server. */
  visit(url: string): Promise<Answer>;
  /** Posts a form of another site, without cookies, and then follows the page that comes back, with them. */
  post(path: string, form: Readonly<Record<string, string>>): Promise<Answer>;
  cookies(): ReadonlyMap<string, string>;
}

const host = '127.0.0.1:8080';
let browsers = 0;

export function signOnBrowser(server: TestServer, cookies = new Map<string, string>()): SignOnBrowser {
  browsers += 1;
  // Sign-ins from one address are limited.
  const from = `198.51.100.${browsers % 250}`;
  const keep = (answer: Answer) => {
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
      if (line.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const visit = async (url: string) => {
    const path = url.replace(/^https?:\/\/[^/]+/, '');
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { host, 'sec-fetch-site': 'cross-site', ...(cookie === '' ? {} : { cookie }) };
    return keep(await server.call(`GET ${path}`, { headers, from }));
  };
  return {
    visit,
    cookies: () => cookies,
    start: async (path) => (await visit(path)).headers['location'] ?? '',
    post: async (path, form) => {
      const headers = {
        host,
        origin: 'https://idp.example',
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      };
      const body = new URLSearchParams(form).toString();
      const answer = keep(await server.call(`POST ${path}`, { headers, body, from }));
      const next = /url=(.*)/.exec(answer.headers['refresh'] ?? '')?.[1];
      return next === undefined ? answer : visit(next);
    },
  };
}
