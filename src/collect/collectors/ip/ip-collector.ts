/**
 * Adds country, ASN and ISP to the addresses that DNS found in the same round, and the popularity rank of the domain. All of it
 * comes from local files; no server is contacted. It runs last; facts it does not know stay as they were.
 */
import { minuteMs } from '../../../model/durations.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Collector, ProbeRequest, ProbeResult } from '../collector.ts';
import { type AddressLookup, loadAddressFacts } from './address-facts.ts';
import { Popularity } from './popularity.ts';

type Address = NonNullable<DomainRecord['ip']>[number];

const retryMs = minuteMs;

/** `onFailure` is called for files that cannot be read; loading is retried. */
export function createIpCollector(
  settings: Pick<Settings['collect'], 'addressFiles' | 'popularityFile'>,
  onFailure: (error: unknown) => void,
): Collector {
  const { addressFiles, popularityFile } = settings;
  // Without a list, ranks from imports stay.
  const popularity = popularityFile === '' ? undefined : new Popularity(popularityFile, onFailure);
  const findFacts = loadedOnce(addressFiles, onFailure);
  return {
    name: 'ip',
    members: popularity ? ['ip', 'popularity_rank'] : ['ip'],
    prepare: async (nowMs) => {
      await Promise.all([findFacts(nowMs), popularity?.findTable(nowMs)]);
    },
    probe: async (request) => {
      const facts = await findFacts(request.nowMs);
      if (facts) return probeIp(request, facts, popularity);
      return { outcome: 'failed', reason: 'address files could not be read', isTransient: false };
    },
  };
}

/** A failed load is retried after a pause, not at every probe. */
function loadedOnce(files: readonly string[], onFailure: (error: unknown) => void) {
  let loading: Promise<AddressLookup | undefined> | undefined;
  let startedMs = 0;
  const load = (nowMs: number) => {
    startedMs = nowMs;
    return loadAddressFacts(files).catch((error: unknown) => {
      onFailure(error);
      return undefined;
    });
  };
  return async (nowMs: number): Promise<AddressLookup | undefined> => {
    loading ??= load(nowMs);
    const facts = await loading;
    if (!facts && Math.abs(nowMs - startedMs) >= retryMs) loading = undefined;
    return facts;
  };
}

async function probeIp(
  { domain, known, nowMs }: ProbeRequest,
  facts: AddressLookup,
  popularity: Popularity | undefined,
): Promise<ProbeResult> {
  const ip = (known.ip ?? []).map((address) => withFacts(address, facts));
  const table = await popularity?.findTable(nowMs);
  const rank = table ? table.find(domain) : known.popularity_rank;
  return { outcome: 'found', part: { ip, ...(rank === undefined ? {} : { popularity_rank: rank }) } };
}

function withFacts(known: Address, facts: AddressLookup): Address {
  const { asn, country, isp } = facts.find(known.address);
  return {
    ...known,
    ...(asn === undefined ? {} : { asn: [asn] }),
    ...(country === undefined ? {} : { country_code: country }),
    ...(isp === undefined ? {} : { isp }),
  };
}
