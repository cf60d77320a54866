/**
 * Suricata's EVE log, DNS events of versions 1 to 3: answers and authorities of responses without error. The bailiwick is
 * unknown, hence the root. Version 1 writes an event for each RR; those of one message are put together again. Answers
 * that are only grouped by type have no owners: aliases then lead from the question to the owner of the rest. A set with a
 * member that was not logged whole is left out, and so are TXT sets of several strings, whose records cannot be told
 * apart. Addresses are never read.
 */
import { rootName } from '../../model/dns/name.ts';
import { typeOf } from '../../model/dns/rr-type.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { eveRdata } from './eve-rdata.ts';
import { isObject, parseObject } from './json-object.ts';
import { loggedName } from './logged-name.ts';
import { hasLostBytes } from './lost-bytes.ts';
import { nameKey } from './name-key.ts';
import { OpenRrsets } from './open-rrsets.ts';
import { recordType } from './record-type.ts';
import { type LineReader, malformed, nothing, type Outcome, observed } from './rrset-format.ts';
import { secondsOf } from './sighting-fields.ts';

const cname = typeOf('CNAME');
const txt = typeOf('TXT');
const otherPorts: ReadonlySet<unknown> = new Set([137, 5353, 5355]);

/** Threads of the sensor interleave their events, but not by much. */
const interleavedBounds = { setsMax: 1024, bytesMax: 4_194_304 };
/** A message is one line, and a line is bounded. */
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

/** Where RRs of one message go: which message, when it was seen, and the sets that are open. */
interface Intake {
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

function take(owner: WireName, type: number, rdata: Uint8Array | undefined, intake: Intake): void {
  const { sets, messageKey, seconds } = intake;
  const key = `${messageKey} ${nameKey(owner)} ${type}`;
  const sighting = { firstSeconds: seconds, lastSeconds: seconds, count: 1 };
  const set =
    sets.find(key) ?? sets.open(key, { ...sighting, origin: 'sensor', owner, type, bailiwick: rootName });
  const isSecondText = type === txt && set.rdata.length > 0;
  sets.add(set, isSecondText ? undefined : rdata);
}

function takeRecord(record: EveRecord, intake: Intake): void {
  const owner = record.rrname_truncated === true ? undefined : loggedName(record.rrname);
  const type = recordType(record.rrtype);
  if (owner === undefined || type === undefined) return;
  const value = record.rdata_truncated === true ? undefined : record.rdata;
  take(owner, type, eveRdata(type, value ?? record.soa ?? record.srv ?? record.sshfp), intake);
}

function takeList(records: unknown, intake: Intake): void {
  if (!Array.isArray(records)) return;
  for (const record of records) if (isObject(record)) takeRecord(record, intake);
}

function takeGrouped(question: unknown, grouped: object, intake: Intake): void {
  let owner = loggedName(question);
  const groups = Object.entries(grouped).map(([name, values]) => ({ type: recordType(name), values }));
  const aliases: unknown = groups.find((group) => group.type === cname)?.values;
  for (const target of Array.isArray(aliases) ? aliases : []) {
    const rdata = eveRdata(cname, target);
    if (owner === undefined) return;
    take(owner, cname, rdata, intake);
    owner = rdata;
  }
  for (const { type, values } of groups) {
    if (owner === undefined || type === undefined || type === cname || !Array.isArray(values)) continue;
    for (const value of values) take(owner, type, eveRdata(type, value), intake);
  }
}

function questionOf(dns: EveDns): unknown {
  const [first]: readonly unknown[] = Array.isArray(dns.queries) ? dns.queries : [];
  const query: EveRecord = isObject(first) ? first : dns;
  return query.rrname;
}

class EveReader implements LineReader {
  /** Sets of version 1, whose message may go on with the next line. */
  readonly #sets = new OpenRrsets(interleavedBounds);

  line(text: string): Outcome {
    if (text.trim() === '') return nothing;
    const event: EveEvent | undefined = parseObject(text);
    if (event === undefined) return malformed('not a JSON object');
    if (event.event_type !== 'dns' || !isObject(event.dns)) return nothing;
    const dns: EveDns = event.dns;
    if (!isGoodResponse(event, dns)) return nothing;
    if (hasLostBytes(text)) return malformed('not UTF-8');
    const seconds = secondsOf(event.timestamp);
    if (seconds === undefined) return malformed('timestamp is not a time');
    const isSingle = dns.version === undefined || dns.version === 1;
    return isSingle ? this.#single(event, dns, seconds) : this.#message(dns, seconds);
  }

  end(): readonly Outcome[] {
    this.#sets.closeAll();
    return [observed(this.#sets.takeClosed())];
  }

  #message(dns: EveDns, seconds: number): Outcome {
    const intake = { sets: new OpenRrsets(messageBounds), messageKey: '', seconds };
    if (Array.isArray(dns.answers)) takeList(dns.answers, intake);
    else if (isObject(dns.grouped)) takeGrouped(questionOf(dns), dns.grouped, intake);
    takeList(dns.authorities, intake);
    intake.sets.closeAll();
    return observed(intake.sets.takeClosed());
  }

  #single(event: EveEvent, dns: EveDns, seconds: number): Outcome {
    const messageKey = [event.timestamp, event.flow_id, dns.id].filter(isPlain).join(' ');
    takeRecord(dns, { sets: this.#sets, messageKey, seconds });
    return observed(this.#sets.takeClosed());
  }
}

export function eveReader(): LineReader {
  return new EveReader();
}
