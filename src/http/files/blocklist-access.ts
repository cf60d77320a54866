/** What all links to lists of an account have in common. */
import { type Account, findGrant } from '../../model/account/account.ts';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { EscalationStore } from '../../store/escalation-store.ts';

export interface LinkAccessNeeds {
  readonly escalations: Pick<EscalationStore, 'blocklistEdition'>;
  readonly accounts: Pick<AccountStore, 'listUsers'>;
  readonly clock: Clock;
}

/** A link is valid as long as its edition, its account, and the account's product for escalations. */
export async function getCurrentAccount(
  { accountId, edition }: { readonly accountId: string; readonly edition: number },
  { escalations, accounts, clock }: LinkAccessNeeds,
): Promise<Account> {
  const [caller] = await accounts.listUsers({ accountId, limit: 1 });
  if (
    caller?.account.active &&
    findGrant(caller.account, 'intel-detect-escalate-domains', clock.now()) &&
    (await escalations.blocklistEdition(accountId)) === edition
  )
    return caller.account;
  throw new Problem('credentials-expired', 'The link has been replaced. List the blocklists again.');
}

/** Weak comparison of an `If-None-Match` header: `"a", W/"b"` or `*`. */
export function matchesEtag(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  const strong = (text: string) => text.trim().replace(/^W\//, '');
  return condition.split(',').some((one) => ['*', strong(etag)].includes(strong(one)));
}
