/**
 * Zone files in master format (RFC 1035, section 5, and RFC 3597), as observations of a zone: one sighting at one time, with the
 * apex as bailiwick. The apex is the given origin, or the owner of each SOA, or the `$ORIGIN` of the first record. Class IN only;
 * `$INCLUDE` and `$GENERATE` are refused.
 *
 * An RRset is identified by all of its members, so RRs are collected first. The last 20,000 RRsets stay open: smaller files may be
 * in any order, larger ones (which servers write sorted) need the RRs of a set within that window. A later RR is reported and
 * refused, and so is every RR of a set with an unreadable member. Signatures form sets by covered type, as in traffic.
 */
import { isAtOrBelow } from '../../model/dns/name.ts';
import { typeNumber, typeOf } from '../../model/dns/rr-type.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { hasInvalidUtf8 } from '../input/invalid-utf8.ts';
import { nameKey } from './name-key.ts';
import { type OpenRrset, OpenRrsets } from './open-rrsets.ts';
import { RdataReader } from './rdata-reader.ts';
import { recordType } from './record-type.ts';
import { type LineReader, malformed, type Outcome, observed } from './rrset-format.ts';
import { SeenKeys } from './seen-keys.ts';
import { unreachableOrigin, zoneName } from './zone-name.ts';
import { type ZoneEntry, ZoneTokens } from './zone-tokens.ts';

export interface ZoneOptions {
  /** When the zone was observed. */
  readonly seenSeconds: number;
  readonly origin?: WireName | undefined;
}

const openBounds = { setsMax: 20_000, bytesMax: 33_554_432 };
const soa = typeOf('SOA');
const rrsig = typeOf('RRSIG');

const ttlWord = /^(?:\d{1,10}|(?:\d{1,10}[smhdw]){1,5})$/i;
const classWord = /^(?:IN|CH|HS|CS|CLASS\d{1,5})$/i;
const internetClass = /^(?:IN|CLASS0{0,4}1)$/i;

const refusedDirectives: ReadonlyMap<string, string> = new Map([
  ['$INCLUDE', 'other files are not included'],
  ['$GENERATE', 'records are not generated'],
]);

interface Fields {
  readonly type: number;
  readonly rdata: string;
  readonly isInternet: boolean;
}

/** TTL and class are optional, in either order. */
function fieldsOf(words: readonly string[], from: number): Fields | undefined {
  let at = from;
  let zoneClass = 'IN';
  for (let optional = 0; optional < 2; optional += 1) {
    const word = words[at] ?? '';
    if (ttlWord.test(word)) at += 1;
    else if (classWord.test(word)) {
      zoneClass = word;
      at += 1;
    }
  }
  const type = /^\d/.test(words[at] ?? '') ? undefined : recordType(words[at]);
  if (type === undefined) return undefined;
  return { type, rdata: words.slice(at + 1).join(' '), isInternet: internetClass.test(zoneClass) };
}

class ZoneReader implements LineReader {
  readonly #options: ZoneOptions;
  readonly #tokens = new ZoneTokens();
  readonly #sets = new OpenRrsets(openBounds, (key) => this.#closedKeys.add(this.#keyInFile(key)));
  readonly #closedKeys = new SeenKeys();
  #zonesRead = 0;
  #apex: WireName | undefined;
  #origin: WireName | undefined;
  #rdataReader: RdataReader;
  #ownerWord: string | undefined;
  #owner: WireName | undefined;
  #lastSet: OpenRrset | undefined;

  constructor(options: ZoneOptions) {
    this.#options = options;
    this.#apex = options.origin;
    this.#origin = options.origin;
    this.#rdataReader = new RdataReader(options.origin ?? unreachableOrigin);
  }

  line(text: string): Outcome {
    const entry = this.#tokens.addLine(text);
    const fault = entry === undefined ? undefined : this.#read(entry);
    return fault === undefined ? observed(this.#sets.drainClosed()) : malformed(fault);
  }

  end(): readonly Outcome[] {
    const entry = this.#tokens.end();
    const fault = entry === undefined ? undefined : this.#read(entry);
    this.#sets.closeAll();
    const rest = observed(this.#sets.drainClosed());
    return fault === undefined ? [rest] : [malformed(fault), rest];
  }

  /** The fault of the entry, if any. */
  #read(entry: ZoneEntry): string | undefined {
    const isDirective = !entry.isOwnerOmitted && entry.words[0]?.startsWith('$');
    return isDirective ? (entry.fault ?? this.#directive(entry.words)) : this.#record(entry);
  }

  #directive([name = '', value = '']: readonly string[]): string | undefined {
    const directive = name.toUpperCase();
    if (directive === '$TTL') return undefined;
    if (directive !== '$ORIGIN') return refusedDirectives.get(directive) ?? 'an unknown directive';
    const origin = zoneName(value, this.#origin);
    this.#origin = typeof origin === 'string' ? undefined : origin;
    this.#rdataReader = new RdataReader(this.#origin ?? unreachableOrigin);
    this.#ownerWord = undefined;
    return typeof origin === 'string' ? origin : undefined;
  }

  #record({ isOwnerOmitted, words, fault }: ZoneEntry): string | undefined {
    const ownerFault = isOwnerOmitted ? undefined : this.#readOwner(words[0] ?? '');
    const owner = this.#owner;
    if (owner === undefined)
      return fault ?? ownerFault ?? 'there is no record before it to take the owner from';
    const fields = fieldsOf(words, isOwnerOmitted ? 0 : 1);
    if (fields === undefined) return fault ?? 'it has no type of data';
    if (!fields.isInternet) return fault;
    const apex = this.#apexFor(owner, fields.type);
    if (apex === undefined) return 'the zone is not known: there is no SOA before it and no origin';
    if (!isAtOrBelow(owner, apex)) return 'it is outside the zone';
    const isReadable = fault === undefined && !hasInvalidUtf8(fields.rdata);
    const rdata = isReadable ? this.#rdataReader.read(fields.type, fields.rdata) : undefined;
    const set = this.#setOf(owner, apex, fields, rdata);
    if (set === undefined) return 'its RRset was closed long before it; sort the file';
    if (this.#sets.add(set, rdata)) return undefined;
    return (
      fault ??
      (rdata === undefined ? 'its rdata does not fit its type' : 'its RRset is too large or not whole')
    );
  }

  #readOwner(word: string): string | undefined {
    if (word === this.#ownerWord) return undefined;
    const owner = zoneName(word, this.#origin);
    const isFault = typeof owner === 'string';
    // Records without an owner must not be attributed to an earlier one.
    this.#owner = isFault ? undefined : owner;
    this.#ownerWord = isFault ? undefined : word;
    return isFault ? owner : undefined;
  }

  #apexFor(owner: WireName, type: number): WireName | undefined {
    if (type === soa && this.#options.origin === undefined) {
      const isSame = this.#apex?.length === owner.length && isAtOrBelow(owner, this.#apex);
      if (!isSame) this.#startZone(owner);
    } else this.#apex ??= this.#origin;
    return this.#apex;
  }

  /** Files of several zones may have been concatenated. */
  #startZone(apex: WireName): void {
    this.#sets.closeAll();
    this.#lastSet = undefined;
    this.#apex = apex;
    this.#zonesRead += 1;
  }

  #setOf(owner: WireName, bailiwick: WireName, { type, rdata: text }: Fields, rdata: Uint8Array | undefined) {
    const last = this.#lastSet;
    const isLast =
      last?.frame.owner === owner && last.frame.type === type && type !== rrsig && !last.isClosed;
    if (isLast) return last;
    const covered = type === rrsig ? coveredType(text, rdata) : '';
    const key = `${nameKey(owner)}/${type}/${covered}`;
    this.#lastSet = this.#sets.find(key) ?? this.#openSet(key, owner, bailiwick, type);
    return this.#lastSet;
  }

  #openSet(key: string, owner: WireName, bailiwick: WireName, type: number): OpenRrset | undefined {
    if (this.#closedKeys.has(this.#keyInFile(key))) return undefined;
    const { seenSeconds: seconds } = this.#options;
    const sighting = { firstSeconds: seconds, lastSeconds: seconds, count: 1 };
    return this.#sets.open(key, { ...sighting, origin: 'zone', owner, type, bailiwick });
  }

  #keyInFile(key: string): string {
    return `${this.#zonesRead} ${key}`;
  }
}

/** The type that a signature covers, as far as it can be read. */
function coveredType(text: string, rdata: Uint8Array | undefined): number {
  if (rdata === undefined) return typeNumber(text.split(' ', 1)[0] ?? '') ?? 0;
  return ((rdata[0] ?? 0) << 8) | (rdata[1] ?? 0);
}

export function zoneReader(options: ZoneOptions): LineReader {
  return new ZoneReader(options);
}
