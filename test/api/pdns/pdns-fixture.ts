/** A passive DNS server with observations, and queries with parsed responses. */
import assert from 'node:assert/strict';
import type { PdnsGrant } from '../../../src/model/account/account.ts';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import {
  type Answer,
  type CallOptions,
  type TestServer,
  type TestServerOptions,
  testServer,
} from '../../harness/server/test-server.ts';
import { sharedInFile, type TestScope } from '../../harness/test-scope.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
export type Line = Record<string, any>;

export interface Framed {
  readonly answer: Answer;
  readonly lines: readonly Line[];
  readonly objs: readonly Line[];
  readonly last: Line;
}

export interface PdnsServer extends TestServer {
  readonly key: string;
  /** Queries a path below `/pdns/v2/` that must return 200, and splits the framing from the records. */
  query(path: string, options?: CallOptions): Promise<Framed>;
  /** Names and types of the records found, as `www.example.com. A`. */
  found(path: string): Promise<string[]>;
}

export const unrestricted = { allowedAddresses: [], apiVersions: [1, 2] } as const;
export const unlimited: PdnsGrant = { ...unrestricted, quota: { type: 'unlimited' } };
export const daily: PdnsGrant = { ...unrestricted, quota: { type: 'time', limit: 1000, period: 86_400 } };
export const expiresSeconds = 1_900_000_000;
export const block: PdnsGrant = {
  ...unrestricted,
  quota: { type: 'block', limit: 600, expiresMs: expiresSeconds * 1000 },
};

interface SharedOptions extends Pick<TestServerOptions, 'settings'> {
  readonly pdns?: PdnsGrant;
}

export async function pdnsServer(
  scope: TestScope,
  seen: readonly Seen[] = [],
  options: TestServerOptions & SharedOptions = {},
): Promise<PdnsServer> {
  const server = await testServer(scope, options);
  if (seen.length > 0) await server.observe(seen);
  return withNewUser(server, options.pdns);
}

/** Servers that the tests of a file share when they want the same observations and settings, with a new user each time. */
export function sharedPdnsServers(): (
  seen?: readonly Seen[],
  options?: SharedOptions,
) => Promise<PdnsServer> {
  const share = sharedInFile(
    (scope, [seen, settings]: readonly [readonly Seen[], TestServerOptions['settings'] & object]) =>
      pdnsServer(scope, seen, { settings }),
  );
  return async (seen = [], { settings = {}, pdns } = {}) => {
    const server = await share([seen, settings]);
    server.clock.reset();
    return withNewUser(server, pdns);
  };
}

async function withNewUser(server: TestServer, pdns: PdnsGrant | undefined): Promise<PdnsServer> {
  const { key } = await server.user(pdns ? { pdns } : {});
  const query = async (path: string, request: CallOptions = {}) =>
    framed(await server.call(`GET /pdns/v2/${path}`, { key, ...request }));
  return {
    ...server,
    key,
    query,
    found: async (path) => (await query(path)).objs.map(({ rrname, rrtype }) => `${rrname} ${rrtype}`),
  };
}

export function framed(answer: Answer): Framed {
  assert.equal(answer.status, 200, answer.text);
  const lines = linesOf(answer.text);
  return {
    answer,
    lines,
    objs: lines.filter(({ obj }) => obj).map(({ obj }) => obj),
    last: lines.at(-1) ?? {},
  };
}

/** Lines of JSON; every one, the last included, must end in a newline, and none may be empty. */
export function linesOf(text: string): Line[] {
  if (text === '') return [];
  assert.ok(text.endsWith('\n'), 'the last line has no newline');
  const lines = text.slice(0, -1).split('\n');
  assert.ok(!lines.includes(''), 'a line is empty');
  return lines.map((line) => JSON.parse(line));
}

export function assertTextError(answer: Answer, status: number, message: RegExp = /\S/): void {
  assert.equal(answer.status, status, answer.text);
  assert.match(String(answer.headers['content-type']), /^text\/plain\b/);
  assert.match(answer.text, /^Error: \S[^\n]*\n$/);
  assert.match(answer.text, message);
}

export async function remaining(server: TestServer, key: string): Promise<number | string> {
  return (await server.call('GET /pdns/v2/rate_limit', { key })).json.rate.remaining;
}
