/** What records and lists say of the domains of an address, a few at a time. */
import {
  type AddressDomain,
  type AddressDomainSettings,
  addressDomainOf,
} from '../../model/risk/address-domain.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';

export interface DomainsKnownNeeds {
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly risks: Pick<RiskStore, 'findVerdicts'>;
  readonly settings: { readonly risk: AddressDomainSettings };
}

const batchDomains = 100;

/** In the order of the map, which says how often each domain was seen. */
export async function domainsKnown(
  resolutions: ReadonlyMap<string, number>,
  needs: DomainsKnownNeeds,
  nowMs: number,
  signal?: AbortSignal,
): Promise<readonly AddressDomain[]> {
  const names = [...resolutions.keys()];
  const known: AddressDomain[] = [];
  for (let from = 0; from < names.length; from += batchDomains) {
    signal?.throwIfAborted();
    const batch = names.slice(from, from + batchDomains);
    const [records, verdicts] = await Promise.all([
      needs.domains.findRecords(batch),
      needs.risks.findVerdicts(batch, nowMs),
    ]);
    for (const [index, name] of batch.entries()) {
      const domain = {
        record: records[index],
        verdicts: verdicts[index] ?? [],
        resolutions: resolutions.get(name) ?? 0,
      };
      known.push(addressDomainOf(domain, needs.settings.risk, nowMs));
    }
  }
  return known;
}
