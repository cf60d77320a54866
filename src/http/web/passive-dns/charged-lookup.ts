/** Charges a lookup of a person to the passive DNS quota of the account, by the same functions as the API. */

import type { Allowance } from '../../../product/pdns/page.ts';
import { type GrantNeeds, getPdnsGrant } from '../../../product/pdns/question/grant-of-person.ts';
import { allowanceOf, chargeLookup, type QuotaNeeds } from '../../../product/pdns/quota.ts';
import type { WebCaller } from '../web-operation.ts';
import type { PassiveDnsRecords } from './passive-dns-wire.ts';

export type ChargedLookupNeeds = GrantNeeds &
  QuotaNeeds & { readonly accounts: GrantNeeds['accounts'] & QuotaNeeds['accounts'] };

export async function chargedLookup(
  caller: WebCaller,
  needs: ChargedLookupNeeds,
): Promise<{ readonly allowance: Allowance; readonly quota: PassiveDnsRecords['quota'] }> {
  const holder = await getPdnsGrant(caller, needs);
  const allowance = allowanceOf(holder.grant, needs.settings);
  const { limit, remaining, resetSeconds } = await chargeLookup(holder, needs);
  if (limit === 'unlimited' || remaining === 'n/a') return { allowance, quota: null };
  const reset = resetSeconds === 'n/a' ? null : new Date(resetSeconds * 1000).toISOString();
  return { allowance, quota: { remaining, limit, reset, user: holder.user.username } };
}
