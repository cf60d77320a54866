/**
 * Passive DNS Common Output Format (https://datatracker.ietf.org/doc/draft-dulaunoy-dnsop-passive-dns-cof/), one JSON object per
 * line: COF files, `dnsdbq -j` output, and saved responses of the passive DNS API with their framing (`cond`, `obj`). A record from
 * an inverse lookup is a single RR without bailiwick and is stored as such. A record with both pairs of times becomes two
 * observations: the count belongs to the sensors, and the zone counts as one sighting.
 */
import type { Origin, Rrset } from '../../model/dns/rrset.ts';
import { hasInvalidUtf8 } from '../input/invalid-utf8.ts';
import { isObject, parseObject } from './json-object.ts';
import { type PresentedRrset, type WireRrset, wireRrset } from './presented-rrset.ts';
import { RdataReader } from './rdata-reader.ts';
import { type LineReader, malformed, nothing, type Outcome, observed } from './rrset-format.ts';
import { countOf, secondsOf } from './sighting-fields.ts';

interface CofRecord extends PresentedRrset {
  readonly count?: unknown;
  readonly time_first?: unknown;
  readonly time_last?: unknown;
  readonly zone_time_first?: unknown;
  readonly zone_time_last?: unknown;
}

interface CofLine extends CofRecord {
  readonly cond?: unknown;
  readonly msg?: unknown;
  readonly obj?: unknown;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function findObservation(
  { owner, type, bailiwick, rdata }: WireRrset,
  { origin, count, first, last }: { origin: Origin; count: number; first: unknown; last: unknown },
): Rrset | undefined {
  const firstSeconds = secondsOf(first);
  const lastSeconds = secondsOf(last);
  if (firstSeconds === undefined || lastSeconds === undefined || firstSeconds > lastSeconds) return undefined;
  return { origin, owner, type, bailiwick, rdata, firstSeconds, lastSeconds, count };
}

/** Also for other formats whose records have COF members. */
export function readCofRecord(record: CofRecord, rdataReader: RdataReader): Outcome {
  const set = wireRrset(record, rdataReader);
  if (typeof set === 'string') return malformed(set);
  const count = countOf(record.count);
  if (count === undefined) return malformed('count is not a whole number of 1 or more');
  const isInZone = !isAbsent(record.zone_time_first) || !isAbsent(record.zone_time_last);
  const isSensed = !isInZone || !isAbsent(record.time_first) || !isAbsent(record.time_last);
  const observations: Rrset[] = [];
  if (isSensed) {
    const times = { first: record.time_first, last: record.time_last };
    const sensed = findObservation(set, { origin: 'sensor', count, ...times });
    if (sensed === undefined) return malformed('time_first and time_last are not a period of time');
    observations.push(sensed);
  }
  if (isInZone) {
    const zoneCount = isSensed ? 1 : count;
    const times = { first: record.zone_time_first, last: record.zone_time_last };
    const listed = findObservation(set, { origin: 'zone', count: zoneCount, ...times });
    if (listed === undefined) return malformed('zone_time_first and zone_time_last are not a period of time');
    observations.push(listed);
  }
  return observed(observations);
}

/** A line of the API's framing without a record. */
function readFraming(line: CofLine): Outcome {
  if (line.cond === 'failed') return malformed('the saved response failed before its end');
  const isFraming = line.cond !== undefined || line.msg !== undefined || Object.keys(line).length === 0;
  return isFraming ? nothing : malformed('rrname is missing');
}

export function cofReader(): LineReader {
  const rdataReader = new RdataReader();
  return {
    line(text) {
      if (text.trim() === '') return nothing;
      const line: CofLine | undefined = parseObject(text);
      if (line === undefined) return malformed('not a JSON object');
      if (hasInvalidUtf8(text)) return malformed('not UTF-8');
      if (line.obj === undefined)
        return line.rrname === undefined ? readFraming(line) : readCofRecord(line, rdataReader);
      return isObject(line.obj)
        ? readCofRecord(line.obj, rdataReader)
        : malformed('obj is not a JSON object');
    },
  };
}
