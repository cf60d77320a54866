/** Whether a domain counts as bad for the score of its addresses, and which addresses it has, by its record and by passive DNS. */
import { daySeconds } from '../../model/durations.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { addressDomainOf, isBadDomain } from '../../model/risk/address/address-domain.ts';
import type { ZerolistRules } from '../../model/risk/zerolist.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import { addressesOf } from './addresses-of.ts';
import { isScoredAddress } from './scored-address.ts';

export interface DomainAddressesNeeds {
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly risks: Pick<RiskStore, 'findVerdicts'>;
  readonly rrsets: Pick<RrsetStore, 'scan'>;
  readonly zerolist: ZerolistRules;
  readonly settings: {
    readonly risk: Settings['risk'];
    readonly collect: Pick<Settings['collect'], 'allow'>;
  };
}

export interface JudgedDomain {
  readonly name: string;
  readonly record: DomainRecord | undefined;
  readonly isBad: boolean;
}

const ownAddressesMax = 200;

/** In the order of `names`. */
export async function judgeDomains(
  names: readonly string[],
  { domains, risks, zerolist, settings }: DomainAddressesNeeds,
  nowMs: number,
): Promise<readonly JudgedDomain[]> {
  const records = await domains.findRecords(names);
  const verdicts = await risks.findVerdicts(names, nowMs);
  const rules = { zerolist, addressScoreMin: settings.risk.addressScoreMin };
  return names.map((name, index) => {
    const record = records[index];
    const domain = { domain: name, record, verdicts: verdicts[index] ?? [], resolutions: 0 };
    return { name, record, isBad: isBadDomain(addressDomainOf(domain, rules, nowMs)) };
  });
}

/** Only addresses that may be scored. */
export async function domainAddresses(
  { name, record }: JudgedDomain,
  { rrsets, settings }: DomainAddressesNeeds,
  nowMs: number,
): Promise<readonly string[]> {
  const nowSeconds = Math.floor(nowMs / 1000);
  const sinceSeconds = Math.max(0, nowSeconds - settings.risk.addressDays * daySeconds);
  const own = (record?.ip ?? []).slice(0, ownAddressesMax).map(({ address }) => address);
  const seen = await addressesOf(name, rrsets, { sinceSeconds, nowSeconds });
  const all = [...new Set([...own, ...seen])];
  return all.filter((address) => isScoredAddress(address, settings.collect.allow));
}
