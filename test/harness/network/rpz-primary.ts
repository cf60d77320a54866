/** A server that serves its blocklists as zones, with a second process that blocks names: the test itself. */
import { randomBytes } from 'node:crypto';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { newUser } from '../fixtures/delivery-fixture.ts';
import { discover, watchTerm } from '../fixtures/watch-domains.ts';
import { serve } from '../server/command-line.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TestScope } from '../test-scope.ts';
import { onFreePort } from './daemon.ts';

export interface RpzPrimary {
  readonly port: number;
  readonly zone: string;
  readonly keyName: string;
  /** In base64. */
  readonly secret: string;
  /** Secondaries that it notifies, by name of the software. */
  readonly notified: Readonly<Record<'bind' | 'knot' | 'nsd' | 'unbound', number>>;
  log(): string;
  /** Returns what undoes it. */
  block(...names: readonly string[]): Promise<() => Promise<void>>;
}

const freePort = () => onFreePort(async (port) => port);
/** Secondaries sign with the real time. */
const clock = { now: () => Date.now() };

export async function startRpzPrimary(scope: TestScope): Promise<RpzPrimary> {
  const data = temporaryDirectory(scope);
  const stores = openEmbeddedStores({ data, clock });
  scope.after(() => stores.close());
  const { accounts, monitors, watchlist, decisions } = stores;
  const { account } = await newUser(accounts, clock);
  const monitorId = await watchTerm(monitors, account.id, clock.now());
  const [keyName, secret] = ['ng-secondary', randomBytes(32).toString('base64')];
  const [port, bind, knot, nsd, unbound] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ] as const;
  const keys = { [keyName]: { algorithm: 'hmac-sha256', secret } };
  const at = (of: number) => `127.0.0.1:${of}`;
  const signed = [bind, knot, nsd].map((of) => ({ address: at(of), key: keyName }));
  const served = await serve(scope, ['--data', data], {
    env: {
      NAMEGLASS_RPZ_LISTEN: at(port),
      NAMEGLASS_RPZ_KEYS: JSON.stringify(keys),
      NAMEGLASS_RPZ_ALLOW: '127.0.0.1',
      NAMEGLASS_RPZ_NOTIFY: JSON.stringify([...signed, { address: at(unbound) }]),
    },
  });
  const by = () => ({ username: 'alice', atMs: clock.now() });
  return {
    port,
    zone: `blocked.${account.name.toLowerCase()}.rpz`,
    keyName,
    secret,
    notified: { bind, knot, nsd, unbound },
    log: () => served.output().err + served.output().out,
    async block(...domains) {
      await discover(watchlist, { accountId: account.id, monitorId, domains, atMs: clock.now() });
      const found = await Promise.all(domains.map((name) => watchlist.findDomainNamed(account.id, name)));
      const ids = found.flatMap((one) => (one ? [one.id] : []));
      const decision = { target: 'blocked', pieceDomains: 1000 } as const;
      const { decisionId = '' } = await decisions.decideDomains(account.id, ids, decision, by());
      return async () => {
        const how = { skipConflicts: false, pieceDomains: 1000 };
        await decisions.undoDecision(account.id, decisionId, how, by());
      };
    },
  };
}
