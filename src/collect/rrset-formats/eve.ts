/**
 * Suricata's EVE log (https://docs.suricata.io/en/latest/output/eve/), DNS events of versions 1 to 3: answer and authority records
 * of successful responses. The bailiwick is unknown, hence the root. Version 1 has one event per RR; the RRs of a message are
 * grouped again. Answers grouped by type have no owners: CNAMEs lead from the question to the owner of the rest. An RRset with a
 * record that was not logged completely is dropped, and so are TXT sets of several strings, whose record boundaries are lost.
 * Client addresses are never read.
 */
import { rootName } from '../../model/dns/name.ts';
import { typeOf } from '../../model/dns/rr-type.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { hasInvalidUtf8 } from '../input/invalid-utf8.ts';
import { eveRdata } from './eve-rdata.ts';
import { isObject, parseObject } from './json-object.ts';
import { loggedName } from './logged-name.ts';
import { nameKey } from './name-key.ts';
import { OpenRrsets } from './open-rrsets.ts';
import { recordType } from './record-type.ts';
import { type LineReader, malformed, nothing, type Outcome, observed } from './rrset-format.ts';
import { secondsOf } from './sighting-fields.ts';

const cname = typeOf('CNAME');
const txt = typeOf('TXT');
const otherPorts: ReadonlySet<unknown> = new Set([137, 5353, 5355]);

/** Sensor threads interleave their events, but not by much. */
const interleavedBounds = { setsMax: 1024, bytesMax: 4_194_304 };
/** A message is one line, and lines are bounded. */
const messageBounds = { setsMax: Infinity, bytesMax: Infinity };

interface EveEvent {
  readonly timestamp?: unknown;
  readonly event_type?: unknown;
  readonly flow_id?: unknown;
  readonly src_port?: unknown;
  readonly dest_port?: unknown;
  readonly dns?: unknown;
}

interface EveRecord {
  readonly rrname?: unknown;
  readonly rrtype?: unknown;
  readonly rdata?: unknown;
  readonly soa?: unknown;
  readonly srv?: unknown;
  readonly sshfp?: unknown;
  readonly rrname_truncated?: unknown;
  readonly rdata_truncated?: unknown;
}

interface EveDns extends EveRecord {
  readonly version?: unknown;
  readonly type?: unknown;
  readonly id?: unknown;
  readonly tc?: unknown;
  readonly rcode?: unknown;
  readonly queries?: unknown;
  readonly answers?: unknown;
  readonly grouped?: unknown;
  readonly authorities?: unknown;
}

/** Collects the RRs of one message. */
interface MessageSets {
  readonly sets: OpenRrsets;
  readonly messageKey: string;
  readonly seconds: number;
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isGoodResponse(event: EveEvent, dns: EveDns): boolean {
  return (
    (dns.type === 'answer' || dns.type === 'response') &&
    (dns.rcode === 'NOERROR' || dns.rcode === undefined) &&
    dns.tc !== true &&
    !otherPorts.has(event.src_port) &&
    !otherPorts.has(event.dest_port)
  );
}

function addRdata(owner: WireName, type: number, rdata: Uint8Array | undefined, into: MessageSets): void {
  const { sets, messageKey, seconds } = into;
  const key = `${messageKey} ${nameKey(owner)} ${type}`;
  const sighting = { firstSeconds: seconds, lastSeconds: seconds, count: 1 };
  const set =
    sets.find(key) ?? sets.open(key, { ...sighting, origin: 'sensor', owner, type, bailiwick: rootName });
  const isSecondText = type === txt && set.rdata.length > 0;
  sets.add(set, isSecondText ? undefined : rdata);
}

function addRecord(record: EveRecord, into: MessageSets): void {
  const owner = record.rrname_truncated === true ? undefined : loggedName(record.rrname);
  const type = recordType(record.rrtype);
  if (owner === undefined || type === undefined) return;
  const value = record.rdata_truncated === true ? undefined : record.rdata;
  addRdata(owner, type, eveRdata(type, value ?? record.soa ?? record.srv ?? record.sshfp), into);
}

function addRecords(records: unknown, into: MessageSets): void {
  if (!Array.isArray(records)) return;
  for (const record of records) if (isObject(record)) addRecord(record, into);
}

function addGrouped(question: unknown, grouped: object, into: MessageSets): void {
  let owner = loggedName(question);
  const groups = Object.entries(grouped).map(([name, values]) => ({ type: recordType(name), values }));
  const aliases: unknown = groups.find((group) => group.type === cname)?.values;
  for (const target of Array.isArray(aliases) ? aliases : []) {
    const rdata = eveRdata(cname, target);
    if (owner === undefined) return;
    addRdata(owner, cname, rdata, into);
    owner = rdata;
  }
  for (const { type, values } of groups) {
    if (owner === undefined || type === undefined || type === cname || !Array.isArray(values)) continue;
    for (const value of values) addRdata(owner, type, eveRdata(type, value), into);
  }
}

function questionOf(dns: EveDns): unknown {
  const [first]: readonly unknown[] = Array.isArray(dns.queries) ? dns.queries : [];
  const query: EveRecord = isObject(first) ? first : dns;
  return query.rrname;
}

class EveReader implements LineReader {
  /** RRsets of version 1, whose messages may continue on the next line. */
  readonly #sets = new OpenRrsets(interleavedBounds);

  line(text: string): Outcome {
    if (text.trim() === '') return nothing;
    const event: EveEvent | undefined = parseObject(text);
    if (event === undefined) return malformed('not a JSON object');
    if (event.event_type !== 'dns' || !isObject(event.dns)) return nothing;
    const dns: EveDns = event.dns;
    if (!isGoodResponse(event, dns)) return nothing;
    if (hasInvalidUtf8(text)) return malformed('not UTF-8');
    const seconds = secondsOf(event.timestamp);
    if (seconds === undefined) return malformed('timestamp is not a time');
    const isSingle = dns.version === undefined || dns.version === 1;
    return isSingle ? this.#single(event, dns, seconds) : this.#message(dns, seconds);
  }

  end(): readonly Outcome[] {
    this.#sets.closeAll();
    return [observed(this.#sets.drainClosed())];
  }

  #message(dns: EveDns, seconds: number): Outcome {
    const into = { sets: new OpenRrsets(messageBounds), messageKey: '', seconds };
    if (Array.isArray(dns.answers)) addRecords(dns.answers, into);
    else if (isObject(dns.grouped)) addGrouped(questionOf(dns), dns.grouped, into);
    addRecords(dns.authorities, into);
    into.sets.closeAll();
    return observed(into.sets.drainClosed());
  }

  #single(event: EveEvent, dns: EveDns, seconds: number): Outcome {
    const messageKey = [event.timestamp, event.flow_id, dns.id].filter(isPlain).join(' ');
    addRecord(dns, { sets: this.#sets, messageKey, seconds });
    return observed(this.#sets.drainClosed());
  }
}

export function eveReader(): LineReader {
  return new EveReader();
}
