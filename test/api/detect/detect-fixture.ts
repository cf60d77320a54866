/** A server with monitors and discovered domains, and the Detect operations on it. */
import assert from 'node:assert/strict';
import type { Permission } from '../../../src/model/account/permission.ts';
import { factsOf } from '../../../src/model/detect/facts.ts';
import type { DomainFacts, DomainState } from '../../../src/model/detect/watchlist.ts';
import { tldOf } from '../../../src/model/record/tld.ts';
import { withoutLimits } from '../../harness/server/every-operation.ts';
import {
  type Answer,
  type CallOptions,
  type TestServer,
  type TestServerOptions,
  type TestUser,
  testServer,
} from '../../harness/server/test-server.ts';
import type { TestScope } from '../../harness/test-scope.ts';
import { storeRecords } from '../enrich/stored-records.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
export type Json = any;

export const analyst: readonly Permission[] = ['read', 'triage', 'escalate', 'manage'];

/** Hourly limits are out of the way, unless a test is about them. */
export const roomy = { ...withoutLimits, 'limits.detect.previewRequestsPerMinute': '100000' };

export interface Found {
  readonly by?: TestUser;
  /** By default all monitors of the account. */
  readonly monitors?: readonly string[];
  readonly at?: string;
  readonly facts?: Partial<DomainFacts>;
  /** The record of the domain; its facts are derived from it. */
  readonly record?: object;
  readonly tld?: string;
}

export interface DetectFixture {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly call: (route: string, options?: CallOptions & { readonly by?: TestUser }) => Promise<Answer>;
  /** Creates a monitor and returns its wire format. */
  readonly monitor: (term: string, members?: object, by?: TestUser) => Promise<Json>;
  /** Puts a domain on the lists and returns its id. */
  readonly discover: (domain: string, found?: Found) => Promise<string>;
  /** The body of a list response, which must be 200. */
  readonly list: (list: DomainState, query?: string, by?: TestUser) => Promise<Json>;
  /** The names on a page of a list, in order. */
  readonly names: (list: DomainState, query?: string, by?: TestUser) => Promise<string[]>;
  /** One domain of a list. */
  readonly item: (list: DomainState, domain: string, query?: string) => Promise<Json>;
  /** Applies a change of the domain's record. */
  readonly applyChange: (domain: string, facts: Partial<DomainFacts>, changedAt?: string) => Promise<void>;
  readonly patch: (ids: unknown, state: unknown, by?: TestUser) => Promise<Answer>;
  readonly escalate: (ids: unknown, type: unknown, by?: TestUser) => Promise<Answer>;
}

export const reason = {
  class: 'affix',
  steps: [{ class: 'affix', at: 4, removed: '', inserted: '-login' }],
  name: 'acme-login.example',
  from: 0,
  to: 10,
  text: 'acme-login',
  distance: 0,
} as const;

const nothingKnown: DomainFacts = {
  active: true,
  mxExists: false,
  nameServers: [],
  riskScore: undefined,
  riskStatus: undefined,
  riskComponents: undefined,
};

/** A separate server. */
export async function detectFixture(
  scope: TestScope,
  options: TestServerOptions = {},
): Promise<DetectFixture> {
  const settings = { ...roomy, ...options.settings };
  return worldOf(await testServer(scope, { ...options, settings }));
}

/**
 * A factory of fresh accounts on one shared server. Each call resets the clock, so tests must run one after another.
 */
export async function freshAccounts(scope: TestScope): Promise<() => Promise<DetectFixture>> {
  const server = await testServer(scope, { settings: roomy });
  return () => {
    server.clock.set('2026-03-04T10:11:12Z');
    return worldOf(server);
  };
}

/** A new account on a server. */
export async function worldOf(server: TestServer): Promise<DetectFixture> {
  const user = await server.user({ permissions: analyst });

  const call: DetectFixture['call'] = (route, { by = user, ...sent } = {}) =>
    server.call(route, { key: by.key, ...sent });
  const list: DetectFixture['list'] = async (state, query = '', by = user) => {
    const answer = await call(`GET /v1/intel-detect/domains/${state}/?${query}`, { by });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const names: DetectFixture['names'] = async (state, query, by) =>
    (await list(state, query, by)).watchlist_domains.map(({ domain }: Json) => domain);

  return {
    server,
    user,
    call,
    list,
    names,
    monitor: async (term, members = {}, by = user) => {
      const answer = await call('POST /v1/intel-detect/monitors/', { by, body: { term, ...members } });
      assert.equal(answer.status, 200, answer.text);
      return answer.json.monitor;
    },
    discover: (domain, found = {}) => discover(server, domain, { by: user, ...found }),
    item: async (state, domain, query) => {
      const { watchlist_domains } = await list(state, query);
      return watchlist_domains.find((one: Json) => one.domain === domain);
    },
    applyChange: async (domain, facts, changedAt) => {
      const from = await server.watchlist.recordChangesCheckpoint();
      const changed = changedAt === undefined ? undefined : { atMs: Date.parse(changedAt), fields: ['ip'] };
      const changes = [{ domain, facts: { ...nothingKnown, ...facts }, changed }];
      assert.ok(
        await server.watchlist.applyRecordChanges(
          changes,
          { from, to: String(Number(from) + 1) },
          server.clock.now(),
        ),
      );
    },
    patch: (ids, state, by = user) =>
      call('PATCH /v1/intel-detect/domains/', { by, body: { watchlist_domain_ids: ids, state } }),
    escalate: (ids, type, by = user) =>
      call('POST /v1/intel-detect/escalations/', {
        by,
        body: { watchlist_domain_ids: ids, escalation_type: type },
      }),
  };
}

async function discover(server: TestServer, domain: string, found: Found & { readonly by: TestUser }) {
  const { account } = found.by.caller;
  const discoveredMs = found.at === undefined ? server.clock.now() : Date.parse(found.at);
  const active = await server.monitors.listActiveMonitors();
  const own = active.monitors.filter(({ accountId }) => accountId === account.id);
  const monitorIds = found.monitors ?? own.map(({ monitor }) => monitor.id);
  if (found.record) await storeRecords(server, [{ domain, ...found.record }]);
  const [record] = found.record ? await server.domains.findRecords([domain]) : [];
  const facts = { ...nothingKnown, ...(record && factsOf(record)), ...found.facts };
  await server.watchlist.addDiscoveries([
    {
      accountId: account.id,
      domain,
      tld: found.tld ?? tldOf(domain),
      discoveredMs,
      matches: monitorIds.map((monitorId) => ({ monitorId, reason })),
      facts,
    },
  ]);
  for (const state of ['new', 'watched', 'ignored'] as const) {
    const page = { state, search: domain, sort: [], descending: true, offset: 0, limit: 100 };
    const listed = await server.watchlist.listDomains(account.id, page);
    assert.ok(listed !== 'unknown-monitor');
    const known = listed.domains.find((one) => one.domain === domain);
    if (known) return known.id;
  }
  return '';
}
