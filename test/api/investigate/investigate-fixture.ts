/** A server with domain records, and searches on it. */
import assert from 'node:assert/strict';
import type { Permission } from '../../../src/model/account/permission.ts';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { withoutLimits } from '../../harness/server/every-operation.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { type Answer, type TestServer, type TestUser, testServer } from '../../harness/server/test-server.ts';
import type { TestScope } from '../../harness/test-scope.ts';

export type Fields = Omit<DomainRecord, 'domain'>;

// biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
type Json = any;

export interface InvestigateFixture {
  readonly server: TestServer;
  readonly user: TestUser;
  /** Stores records, or changes them. */
  store(records: Readonly<Record<string, Fields>>, at?: string): Promise<void>;
  /** The response to a search given as a query string or as parameters. */
  search(query: Query, user?: TestUser): Promise<Answer>;
  /** The member `response` of a response that must be 200. */
  response(query: Query, user?: TestUser): Promise<Json>;
  /** Names of all results of one page, in order. */
  names(query: Query, user?: TestUser): Promise<string[]>;
  /** The message of a response that must be 400. */
  errorMessage(query: Query): Promise<string>;
  /** The same with the query language. */
  namesOfQuery(text: string, query?: string): Promise<string[]>;
  tag(user: TestUser, domain: string, labels: readonly string[], scope?: 'own' | 'team'): Promise<void>;
}

type Query = string | Readonly<Record<string, string>> | readonly (readonly [string, string])[];

export async function investigateFixture(
  scope: TestScope,
  settings: Readonly<Record<string, string>> = {},
  permissions: readonly Permission[] = ['triage'],
): Promise<InvestigateFixture> {
  return fixtureOn(await testServer(scope, { settings: { ...withoutLimits, ...settings } }), permissions);
}

/** Servers that the tests of a file share when they want the same settings, with a new user each time, and the records that all of them store. */
export function sharedInvestigateFixtures(): (
  settings?: Readonly<Record<string, string>>,
) => Promise<InvestigateFixture> {
  const sharedServer = sharedServers();
  return async (settings = {}) =>
    fixtureOn(await sharedServer({ settings: { ...withoutLimits, ...settings } }), ['triage']);
}

async function fixtureOn(
  server: TestServer,
  permissions: readonly Permission[],
): Promise<InvestigateFixture> {
  const user = await server.user({ permissions });

  const store: InvestigateFixture['store'] = async (records, at) => {
    const seenMs = at === undefined ? server.clock.now() : Date.parse(at);
    const updates = Object.entries(records).map(([domain, fields]) => ({
      record: { domain, ...fields },
      source: 'test',
      seenMs,
    }));
    await server.domains.upsert(updates);
  };
  const search: InvestigateFixture['search'] = (query, asker = user) => {
    const text = typeof query === 'string' ? query : new URLSearchParams(query as Record<string, string>);
    return server.call(`GET /v1/intel-investigate/?${text.toString()}`, { key: asker.key });
  };
  const response: InvestigateFixture['response'] = async (query, asker) => {
    const answer = await search(query, asker);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.response;
  };
  const namesIn = ({ results }: Json): string[] => results.map(({ domain }: Json) => domain);
  return {
    server,
    user,
    store,
    search,
    response,
    names: async (query, asker) => namesIn(await response(query, asker)),
    errorMessage: async (query) => {
      const { status, json } = await search(query);
      assert.equal(status, 400);
      assert.equal(json.error.code, 400);
      return json.error.message;
    },
    namesOfQuery: async (text, query = '') => {
      const answer = await server.call(`POST /v1/intel-investigate/?${query}`, {
        key: user.key,
        body: `# NameglassQL-1.0\n${text}`,
      });
      assert.equal(answer.status, 200, answer.text);
      return namesIn(answer.json.response);
    },
    tag: async (asker, domain, labels, tagScope = 'team') => {
      const { account, user: who } = asker.caller;
      const { id: userId, username } = who;
      const by = { accountId: account.id, userId, username, scope: tagScope, atMs: server.clock.now() };
      assert.equal(await server.domains.changeTags([domain], { add: labels, remove: [] }, by), 1);
    },
  };
}
