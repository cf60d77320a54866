/** An account with a watchlist, and a TAXII client that reads it. */
import assert from 'node:assert/strict';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import type { TestServer, TestUser, UserOptions } from '../../harness/server/test-server.ts';
import { TaxiiClient } from './taxii-client.ts';

const pieceDomains = 100;

export interface TaxiiFixture {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly accountId: string;
  readonly monitorId: string;
  readonly client: TaxiiClient;
  readonly find: (domains: readonly string[]) => Promise<void>;
  readonly decide: (
    target: 'watched' | 'ignored' | 'blocked',
    domains: readonly string[],
  ) => Promise<string | undefined>;
  readonly undo: (decisionId: string | undefined) => Promise<void>;
  readonly allow: (add: readonly string[], remove?: readonly string[]) => Promise<void>;
}

export async function taxiiFixture(server: TestServer, options: UserOptions = {}): Promise<TaxiiFixture> {
  const user = await server.user({ permissions: ['read', 'manage'], ...options });
  const { id: accountId } = user.caller.account;
  const monitorId = await watchTerm(server.monitors, accountId, server.clock.now());
  const by = () => ({ username: 'alice', atMs: server.clock.now() });
  const idOf = async (domain: string) =>
    (await server.watchlist.findDomainNamed(accountId, domain))?.id ?? assert.fail(domain);
  return {
    server,
    user,
    accountId,
    monitorId,
    client: new TaxiiClient((path, headers) => server.call(`GET ${path}`, { headers }), user),
    find: async (domains) => {
      await discover(server.watchlist, { accountId, monitorId, domains, atMs: server.clock.now() });
    },
    decide: async (target, domains) => {
      const ids = await Promise.all(domains.map(idOf));
      const decision = { target, pieceDomains };
      return (await server.decisions.decideDomains(accountId, ids, decision, by())).decisionId;
    },
    undo: async (decisionId) => {
      if (decisionId === undefined) return;
      const skipping = { skipConflicts: true, pieceDomains };
      const { outcome } = await server.decisions.undoDecision(accountId, decisionId, skipping, by());
      assert.equal(outcome, 'undone');
    },
    allow: (add, remove = []) => server.blocklists.changeAllowed(accountId, { add, remove }, by()),
  };
}
