/** Assesses the domains of an address from their records and reputation lists, in batches. */
import {
  type AddressDomain,
  type AddressDomainRules,
  addressDomainOf,
} from '../../model/risk/address/address-domain.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';

export interface AssessDomainsNeeds {
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly risks: Pick<RiskStore, 'findVerdicts'>;
  readonly zerolist: AddressDomainRules['zerolist'];
  readonly settings: { readonly risk: Pick<AddressDomainRules, 'addressScoreMin'> };
}

const batchDomains = 100;

/** `resolutions`: how often each domain was seen at the address. The result has the order of the map. */
export async function assessDomains(
  resolutions: ReadonlyMap<string, number>,
  needs: AssessDomainsNeeds,
  nowMs: number,
  signal?: AbortSignal,
): Promise<readonly AddressDomain[]> {
  const { zerolist, settings } = needs;
  const rules = { zerolist, addressScoreMin: settings.risk.addressScoreMin };
  const names = [...resolutions.keys()];
  const assessed: AddressDomain[] = [];
  for (let from = 0; from < names.length; from += batchDomains) {
    signal?.throwIfAborted();
    const batch = names.slice(from, from + batchDomains);
    const [records, verdicts] = await Promise.all([
      needs.domains.findRecords(batch),
      needs.risks.findVerdicts(batch, nowMs),
    ]);
    for (const [index, name] of batch.entries()) {
      const domain = {
        domain: name,
        record: records[index],
        verdicts: verdicts[index] ?? [],
        resolutions: resolutions.get(name) ?? 0,
      };
      assessed.push(addressDomainOf(domain, rules, nowMs));
    }
  }
  return assessed;
}
