/** RRsets as people write them, put into a store. */
import assert from 'node:assert/strict';
import { parseName } from '../../src/model/dns/name.ts';
import { parseRdata } from '../../src/model/dns/rdata-text.ts';
import { typeNumber } from '../../src/model/dns/rr-type.ts';
import type { Rrset } from '../../src/model/dns/rrset.ts';
import type { IntakeOptions, RrsetStore } from '../../src/store/rrset-store.ts';

/** In the words of the Common Output Format. What is left out does not matter to the test. */
export interface Seen {
  readonly rrname: string;
  readonly rrtype?: string;
  readonly rdata?: string | readonly string[];
  readonly bailiwick?: string;
  readonly count?: number;
  readonly time_first?: number;
  readonly time_last?: number;
  readonly zone_time_first?: number;
  readonly zone_time_last?: number;
}

export const someTime = 1_700_000_000;

export async function observe(
  store: RrsetStore,
  seen: readonly Seen[],
  options: IntakeOptions = {},
): Promise<void> {
  const intake = await store.openIntake(options);
  for (const one of seen) await intake.add(rrsetOf(one));
  await intake.flush();
}

function rrsetOf(seen: Seen): Rrset {
  const { rrname, rrtype = 'A', rdata = '192.0.2.1', bailiwick = rrname } = seen;
  const type = typeNumber(rrtype) ?? assert.fail(rrtype);
  const inZone = seen.zone_time_first !== undefined;
  const firstSeconds = (inZone ? seen.zone_time_first : seen.time_first) ?? someTime;
  return {
    origin: inZone ? 'zone' : 'sensor',
    owner: parseName(rrname) ?? assert.fail(rrname),
    type,
    bailiwick: parseName(bailiwick) ?? assert.fail(bailiwick),
    rdata: [rdata].flat().map((text) => parseRdata(type, text) ?? assert.fail(text)),
    count: seen.count ?? 1,
    firstSeconds,
    lastSeconds: (inZone ? seen.zone_time_last : seen.time_last) ?? firstSeconds,
  };
}
