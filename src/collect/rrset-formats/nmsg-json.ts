/**
 * NMSG messages as JSON lines (`nmsgtool -J`, channel downloads): an envelope with vendor and message type, and a message with the
 * RRset. Other message types are skipped, and so is chaff (judged out of bailiwick).
 *
 * A deduplicated RRset is published first as an INSERTION and again, with its full count, when it leaves the cache. The insertion
 * counts 1 and the later message the rest, so the sum is exact. Without the insertion in the same file the later message counts in
 * full: imported separately, the pair counts one too many, but no RRset is lost.
 */
import { isAtOrBelow } from '../../model/dns/name.ts';
import type { Rrset } from '../../model/dns/rrset.ts';
import { hasInvalidUtf8 } from '../input/invalid-utf8.ts';
import { readCofRecord } from './cof.ts';
import { isObject, parseObject } from './json-object.ts';
import { type PresentedRrset, wireRrset } from './presented-rrset.ts';
import { RdataReader } from './rdata-reader.ts';
import { recordType } from './record-type.ts';
import { type LineReader, malformed, nothing, type Outcome, observed } from './rrset-format.ts';
import { SeenKeys } from './seen-keys.ts';
import { secondsOf } from './sighting-fields.ts';

interface Envelope {
  readonly time?: unknown;
  readonly vname?: unknown;
  readonly mname?: unknown;
  readonly message?: unknown;
}

interface Message extends PresentedRrset {
  readonly type?: unknown;
  readonly rrclass?: unknown;
  readonly time?: unknown;
  readonly time_first?: unknown;
  readonly time_seen?: unknown;
  readonly response_time_sec?: unknown;
  readonly query_zone?: unknown;
  readonly response_json?: unknown;
}

interface ResponseJson {
  readonly header?: unknown;
  readonly answer?: unknown;
  readonly authority?: unknown;
  readonly additional?: unknown;
}

const insertions: ReadonlySet<unknown> = new Set(['INSERTION', 'MERGED_INSERTION']);
const finals: ReadonlySet<unknown> = new Set([
  'EXPIRATION',
  'AUTHORITATIVE',
  'MERGED',
  'MERGED_AUTHORITATIVE',
]);

function isInternet(set: { readonly rrclass?: unknown }): boolean {
  return set.rrclass === undefined || set.rrclass === 'IN' || set.rrclass === 1;
}

class NmsgJsonReader implements LineReader {
  readonly #rdataReader = new RdataReader();
  readonly #inserted = new SeenKeys();

  line(text: string): Outcome {
    if (text.trim() === '') return nothing;
    const envelope: Envelope | undefined = parseObject(text);
    if (envelope === undefined) return malformed('not a JSON object');
    const { vname, mname } = envelope;
    const isNamed = typeof vname === 'string' && typeof mname === 'string';
    const read = isNamed ? this.#readers[`${vname}:${mname}`] : undefined;
    if (read === undefined) return nothing;
    if (hasInvalidUtf8(text)) return malformed('not UTF-8');
    if (!isObject(envelope.message)) return malformed('message is not a JSON object');
    return read(envelope.message, envelope);
  }

  readonly #readers: Readonly<Record<string, (message: Message, envelope: Envelope) => Outcome>> = {
    'SIE:dnsdedupe': (message) => this.#dedupe(message),
    'SIE:newdomain': (message) => this.#once(message, message.time_seen),
    'base:dns': (message, envelope) => this.#once(message, envelope.time),
    'base:dnsobs': (message, envelope) => this.#response(message, message.time ?? envelope.time),
    'base:dnsqr': (message, envelope) => {
      const times = message.response_time_sec;
      return this.#response(message, Array.isArray(times) ? times[0] : envelope.time);
    },
  };

  #once(message: Message, seen: unknown): Outcome {
    if (!isInternet(message)) return nothing;
    const { rrname, rrtype, bailiwick, rdata } = message;
    return readCofRecord(
      { rrname, rrtype, bailiwick, rdata, time_first: seen, time_last: seen },
      this.#rdataReader,
    );
  }

  #dedupe(message: Message): Outcome {
    const { type, rrname, rrtype, bailiwick, rdata, time_first: first } = message;
    const isInsertion = insertions.has(type);
    if (!isInternet(message) || (!isInsertion && !finals.has(type))) return nothing;
    const outcome = readCofRecord(isInsertion ? { ...message, count: 1 } : message, this.#rdataReader);
    if (outcome.kind !== 'observations') return outcome;
    // `readCofRecord` has checked that these are strings and numbers.
    const key = JSON.stringify([rrname, rrtype, bailiwick, rdata, first]);
    if (isInsertion) this.#inserted.add(key);
    else if (this.#inserted.delete(key)) return withoutOneSighting(outcome.observations);
    return outcome;
  }

  /**
   * A whole response. With the queried zone, records of all sections within that zone are used; without it the additional section
   * is left out, because it cannot be trusted.
   */
  #response(message: Message, seen: unknown): Outcome {
    const response: ResponseJson | undefined = isObject(message.response_json)
      ? message.response_json
      : undefined;
    if (response === undefined || !isWhole(response.header)) return nothing;
    const seconds = secondsOf(seen);
    if (seconds === undefined) return malformed('the time of the response is missing');
    const { query_zone: zone } = message;
    const { answer, authority, additional } = response;
    const sections = typeof zone === 'string' ? [answer, authority, additional] : [answer, authority];
    const observations: Rrset[] = [];
    for (const given of sections.flatMap((section) => (Array.isArray(section) ? section : []))) {
      if (!isObject(given)) return malformed('an RRset of the response is not a JSON object');
      const presented: Message = given;
      if (!isInternet(presented) || recordType(presented.rrtype) === undefined) continue;
      const set = wireRrset({ ...presented, bailiwick: zone }, this.#rdataReader);
      if (typeof set === 'string') return malformed(set);
      if (!isAtOrBelow(set.owner, set.bailiwick)) continue;
      observations.push({ ...set, origin: 'sensor', firstSeconds: seconds, lastSeconds: seconds, count: 1 });
    }
    return observed(observations);
  }
}

function withoutOneSighting([sensed, ...others]: readonly Rrset[]): Outcome {
  if (sensed === undefined || sensed.count === 1) return observed(others);
  return observed([{ ...sensed, count: sensed.count - 1 }, ...others]);
}

/** An error has no RRsets of its own, and a truncated message may lack members of one. */
function isWhole(header: unknown): boolean {
  if (!isObject(header)) return false;
  const { rcode, flags }: { readonly rcode?: unknown; readonly flags?: unknown } = header;
  return rcode === 'NOERROR' && Array.isArray(flags) && !flags.includes('tc');
}

export function nmsgJsonReader(): LineReader {
  return new NmsgJsonReader();
}
