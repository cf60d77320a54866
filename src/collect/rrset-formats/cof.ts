/**
 * Passive DNS common output format, one object per line: COF files, `dnsdbq -j` output, and saved answers of the passive
 * DNS API with their framing (`cond`, `obj`). A record that came from an inverse lookup is one RR without a bailiwick and
 * is taken as it stands. A record with both pairs of times becomes two observations: its count is the sensors', and the
 * zone counts as listed once.
 */
import type { Origin, Rrset } from '../../model/dns/rrset.ts';
import { isObject, parseObject } from './json-object.ts';
import { hasLostBytes } from './lost-bytes.ts';
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

function observation(set: WireRrset, origin: Origin, count: number, first: unknown, last: unknown) {
  const firstSeconds = secondsOf(first);
  const lastSeconds = secondsOf(last);
  if (firstSeconds === undefined || lastSeconds === undefined || firstSeconds > lastSeconds) return undefined;
  const { owner, type, bailiwick, rdata } = set;
  return { origin, owner, type, bailiwick, rdata, firstSeconds, lastSeconds, count } satisfies Rrset;
}

/** Also for other formats whose records have the members of COF. */
export function readCofRecord(record: CofRecord, rdataReader: RdataReader): Outcome {
  const set = wireRrset(record, rdataReader);
  if (typeof set === 'string') return malformed(set);
  const count = countOf(record.count);
  if (count === undefined) return malformed('count is not a whole number of 1 or more');
  const isInZone = !isAbsent(record.zone_time_first) || !isAbsent(record.zone_time_last);
  const isSensed = !isInZone || !isAbsent(record.time_first) || !isAbsent(record.time_last);
  const observations: Rrset[] = [];
  if (isSensed) {
    const sensed = observation(set, 'sensor', count, record.time_first, record.time_last);
    if (sensed === undefined) return malformed('time_first and time_last are no period of time');
    observations.push(sensed);
  }
  if (isInZone) {
    const zoneCount = isSensed ? 1 : count;
    const listed = observation(set, 'zone', zoneCount, record.zone_time_first, record.zone_time_last);
    if (listed === undefined) return malformed('zone_time_first and zone_time_last are no period of time');
    observations.push(listed);
  }
  return observed(observations);
}

/** A line of the API's framing that carries no record. */
function readFraming(line: CofLine): Outcome {
  if (line.cond === 'failed') return malformed('the answer saved here failed before its end');
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
      if (hasLostBytes(text)) return malformed('not UTF-8');
      if (line.obj === undefined)
        return line.rrname === undefined ? readFraming(line) : readCofRecord(line, rdataReader);
      return isObject(line.obj)
        ? readCofRecord(line.obj, rdataReader)
        : malformed('obj is not a JSON object');
    },
  };
}
