/**
 * Where the addresses of a domain are, and whose; how popular it is. It asks nobody: all of it is in files. Addresses are what DNS found in the same
 * round, and this only says more of them, so it comes last; where it knows nothing of one, what was known stays.
 */
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { Settings } from '../../../model/settings.ts';
import type { Collector, Look, LookOutcome } from '../collector.ts';
import { type AddressKnowledge, loadAddressFacts } from './address-facts.ts';
import { Popularity } from './popularity.ts';

type Address = NonNullable<DomainRecord['ip']>[number];

const againMs = 60_000;

/** Nothing is read before the first look. `onFailure` hears of files that cannot be read; it is tried again. */
export function createIpCollector(
  settings: Pick<Settings['collect'], 'addressFiles' | 'popularityFile'>,
  onFailure: (error: unknown) => void,
): Collector {
  const { addressFiles, popularityFile } = settings;
  // Without a list the ranks that others brought stay as they are.
  const popularity = popularityFile === '' ? undefined : new Popularity(popularityFile, onFailure);
  const findFacts = loadedOnce(addressFiles, onFailure);
  return {
    name: 'ip',
    members: popularity ? ['ip', 'popularity_rank'] : ['ip'],
    look: async (look) => {
      const facts = await findFacts(look.nowMs);
      if (facts) return lookAt(look, facts, popularity);
      return { outcome: 'failed', reason: 'files of addresses could not be read', isPassing: false };
    },
  };
}

/** What could not be read is tried again, but not at every look. */
function loadedOnce(files: readonly string[], onFailure: (error: unknown) => void) {
  let loading: Promise<AddressKnowledge | undefined> | undefined;
  let begunMs = 0;
  const load = (nowMs: number) => {
    begunMs = nowMs;
    return loadAddressFacts(files).catch((error: unknown) => {
      onFailure(error);
      return undefined;
    });
  };
  return async (nowMs: number): Promise<AddressKnowledge | undefined> => {
    loading ??= load(nowMs);
    const facts = await loading;
    if (!facts && Math.abs(nowMs - begunMs) >= againMs) loading = undefined;
    return facts;
  };
}

async function lookAt(
  { domain, known, nowMs }: Look,
  facts: AddressKnowledge,
  popularity: Popularity | undefined,
): Promise<LookOutcome> {
  const ip = (known.ip ?? []).map((address) => withFacts(address, facts));
  const table = await popularity?.findTable(nowMs);
  const rank = table ? table.find(domain) : known.popularity_rank;
  return { outcome: 'found', part: { ip, ...(rank === undefined ? {} : { popularity_rank: rank }) } };
}

function withFacts(known: Address, facts: AddressKnowledge): Address {
  const { asn, country, isp } = facts.find(known.address);
  return {
    ...known,
    ...(asn === undefined ? {} : { asn: [asn] }),
    ...(country === undefined ? {} : { country_code: country }),
    ...(isp === undefined ? {} : { isp }),
  };
}
