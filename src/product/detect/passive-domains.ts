/** The domains that an account has collected passively alone: nothing is asked of their servers. */
import type { Caller } from '../../model/account/account.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { OpsecStore, PassiveDomain } from '../../store/detect/opsec-store.ts';
import type { NameListChange } from './name-list-change.ts';

export interface PassiveDomainNeeds {
  readonly opsec: Pick<OpsecStore, 'listPassive' | 'setPassive' | 'unsetPassive'>;
}

export const passiveDomainsMax = 10_000;

export function listPassiveDomains(
  { account }: Pick<Caller, 'account'>,
  { opsec }: PassiveDomainNeeds,
): Promise<readonly PassiveDomain[]> {
  return opsec.listPassive(account.id, passiveDomainsMax);
}

/** Returns all of them after the change. */
export async function changePassiveDomains(
  caller: Caller,
  { add, remove }: NameListChange,
  needs: PassiveDomainNeeds,
  nowMs: number,
): Promise<readonly PassiveDomain[]> {
  const { account, user } = caller;
  for (const domain of remove) await needs.opsec.unsetPassive(account.id, domain);
  for (const domain of add) {
    const passive = { domain, by: user.username, atMs: nowMs };
    if (!(await needs.opsec.setPassive(account.id, passive, passiveDomainsMax)))
      throw fieldProblem(
        'invalid-parameters',
        'add',
        `must not make more than ${passiveDomainsMax} domains; those before ${domain} were added`,
      );
  }
  return listPassiveDomains(caller, needs);
}
