/** What a new data directory begins with: the first account, its own domains, its monitors and its digest. */
import type { Settings } from '../../model/settings/settings.ts';
import { createUser, type NewKeys, unlimitedPdns } from '../../product/account/operate.ts';
import { createMonitor } from '../../product/detect/monitors.ts';
import { changeOwnDomains, getOwnDomainChange } from '../../product/detect/own-domains.ts';
import { subscribe } from '../../product/detect/subscribe.ts';
import type { CliNeeds } from '../needs.ts';
import { operator } from '../with-stores.ts';
import type { Answers } from './answers.ts';

/** Undefined without an account to create. */
export async function createFirstData(
  { username, ownDomains, terms, mail }: Answers,
  settings: Settings,
  needs: Pick<CliNeeds, 'openStores' | 'clock'>,
): Promise<NewKeys | undefined> {
  if (username === '') return undefined;
  const { clock } = needs;
  const stores = await needs.openStores(settings, { create: true });
  try {
    const { monitors } = stores;
    const permissions = ['admin'] as const;
    const request = { username, permissions, channels: 'all', pdns: unlimitedPdns } as const;
    const made = await createUser(request, { ...stores, clock });
    const accountId = made.caller.account.id;
    if (ownDomains.length > 0)
      await changeOwnDomains(accountId, getOwnDomainChange(ownDomains, []), { monitors });
    for (const term of terms) {
      const monitor = { term, matchSubstringVariations: true, nameserverExclusions: [], textExclusions: [] };
      await createMonitor(made.caller, monitor, { monitors }, clock.now());
    }
    if (mail && mail.alertsTo !== '') {
      const { actor } = operator(needs);
      const digest = { accountId, email: mail.alertsTo, every: 'day', createdBy: actor } as const;
      await subscribe(digest, { ...stores, settings, clock });
    }
    return made;
  } finally {
    await stores.close();
  }
}
