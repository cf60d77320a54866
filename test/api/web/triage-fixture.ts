/** A watchlist on a shared server, and people of its account who work through it in the web UI. */
import assert from 'node:assert/strict';
import type { Permission } from '../../../src/model/account/permission.ts';
import type { Answer, CallOptions } from '../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../harness/server/web-session.ts';
import type { TestScope } from '../../harness/test-scope.ts';
import { type DetectFixture, freshAccounts, type Json } from '../detect/detect-fixture.ts';

export interface TriageFixture extends DetectFixture {
  readonly ann: Analyst;
  /** One more person of the account. */
  person(permissions?: readonly Permission[]): Promise<Analyst>;
}

export interface Analyst extends WebSession {
  /** The body of an answer that must be 200. */
  get(route: string): Promise<Json>;
  post(route: string, body?: object): Promise<Json>;
  /** The names on a page of a list, in order. */
  names(query: string): Promise<readonly string[]>;
  decide(ids: readonly string[], to: string, more?: object): Promise<Json>;
}

const analystPermissions: readonly Permission[] = ['read', 'triage', 'escalate', 'manage'];

/** Each call makes a new account. */
export async function triageFixtures(scope: TestScope): Promise<() => Promise<TriageFixture>> {
  const fresh = await freshAccounts(scope);
  return async () => {
    const world = await fresh();
    const account = world.user.caller.account.name;
    const person: TriageFixture['person'] = async (permissions = analystPermissions) =>
      analystOf(await webSession(world.server, { account, permissions }));
    return { ...world, ann: await person(), person };
  };
}

function analystOf(session: WebSession): Analyst {
  const called = async (route: string, options?: CallOptions): Promise<Json> => {
    const answer: Answer = await session.call(route, options);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const post: Analyst['post'] = (route, body = {}) => called(`POST ${route}`, { body });
  return {
    ...session,
    get: (route) => called(`GET ${route}`),
    post,
    names: async (query) =>
      (await called(`GET /detect/domains?${query}`)).domains.map(({ domain }: Json) => domain),
    decide: (ids, to, more = {}) => post('/detect/decisions', { ids, to, ...more }),
  };
}
