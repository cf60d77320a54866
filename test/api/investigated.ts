/** A server with domain records, and searches of it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Permission } from '../../src/model/permission.ts';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import { type Answer, type TestServer, type TestUser, testServer } from '../harness/test-server.ts';
import { withoutLimits } from './every-operation.ts';

export type Fields = Omit<DomainRecord, 'domain'>;

// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
type Json = any;

export interface Investigated {
  readonly server: TestServer;
  readonly user: TestUser;
  /** Makes records known, or changes them. */
  know(records: Readonly<Record<string, Fields>>, at?: string): Promise<void>;
  /** The answer to a search given as a query string or as parameters. */
  search(query: Query, user?: TestUser): Promise<Answer>;
  /** `response` of an answer that must be 200. */
  response(query: Query, user?: TestUser): Promise<Json>;
  /** Names of all results of one page, in their order. */
  names(query: Query, user?: TestUser): Promise<string[]>;
  /** The message of an answer that must be 400. */
  refusal(query: Query): Promise<string>;
  /** The same by the query language. */
  namesOfQuery(text: string, query?: string): Promise<string[]>;
  tag(user: TestUser, domain: string, labels: readonly string[], scope?: 'own' | 'team'): Promise<void>;
}

type Query = string | Readonly<Record<string, string>> | readonly (readonly [string, string])[];

export async function investigated(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
  permissions: readonly Permission[] = ['triage'],
): Promise<Investigated> {
  const server = await testServer(t, { settings: { ...withoutLimits, ...settings } });
  const user = await server.user({ permissions });

  const know: Investigated['know'] = async (records, at) => {
    const seenMs = at === undefined ? server.clock.now() : Date.parse(at);
    const updates = Object.entries(records).map(([domain, fields]) => ({
      record: { domain, ...fields },
      source: 'test',
      seenMs,
    }));
    await server.domains.upsert(updates);
  };
  const search: Investigated['search'] = (query, asker = user) => {
    const text = typeof query === 'string' ? query : new URLSearchParams(query as Record<string, string>);
    return server.call(`GET /v1/intel-investigate/?${text.toString()}`, { key: asker.key });
  };
  const response: Investigated['response'] = async (query, asker) => {
    const answer = await search(query, asker);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.response;
  };
  const namesIn = ({ results }: Json): string[] => results.map(({ domain }: Json) => domain);
  return {
    server,
    user,
    know,
    search,
    response,
    names: async (query, asker) => namesIn(await response(query, asker)),
    refusal: async (query) => {
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
    tag: async (asker, domain, labels, scope = 'team') => {
      const { account, user: who } = asker.caller;
      const by = { accountId: account.id, userId: who.id, scope, atMs: server.clock.now() };
      assert.ok(await server.domains.tag(domain, { add: labels, remove: [] }, by));
    },
  };
}
