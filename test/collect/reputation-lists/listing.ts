/** A reputation list with a real store, polled by the test. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ListSettings } from '../../../src/collect/reputation-lists/find-changed-list.ts';
import { createReputationList } from '../../../src/collect/reputation-lists/reputation-list.ts';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { openLeaseStore } from '../../../src/store/embedded/lease-store.ts';
import { openRiskStore } from '../../../src/store/embedded/risk-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

export const dialer = createDialer({ settings: { outgoing: { allow: ['127.0.0.1'] } } });

export function openListing(t: TestContext) {
  const data = temporaryDirectory(t);
  const directory = join(data, 'lists');
  const risks = openRiskStore(data);
  const leases = openLeaseStore(data);
  t.after(() => risks.close());
  t.after(() => leases.close());
  const clock = new TestClock();
  const zerolist = { popularRankMax: 10_000, wellKnown: new Set(['wellknown-shop.com']) };
  const needs = { risks, dialer, directory, clock, zerolist };
  return {
    ...needs,
    leases,
    data,
    make: (entry: Partial<ListSettings> & Pick<ListSettings, 'location'>) =>
      createReputationList({ name: 'own', label: 'phishing', ...entry }, needs),
    /** Labels by list of one domain after the other. */
    said: async (...domains: readonly string[]) =>
      (await risks.findVerdicts(domains, clock.now())).map((verdicts) =>
        verdicts
          .map(({ list, label, rank }) => [list, label, ...(rank === undefined ? [] : [rank])].join(' '))
          .join(', '),
      ),
    list: async (name = 'own') => (await risks.listLists()).find(({ list }) => list === name),
  };
}

export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}.example`);
