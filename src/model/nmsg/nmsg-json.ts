/**
 * NMSG messages as lines of JSON, in the form of `nmsgtool -J` and of channel downloads: an envelope with the vendor and the message
 * type, and in it the RRset. Passive DNS stores neither TTLs nor server addresses, so `rrttl` and `response_ip` are left out.
 */
import { nameText } from '../dns/name.ts';
import { rdataText } from '../dns/rdata-text.ts';
import { typeText } from '../dns/rr-type.ts';
import type { Rrset, Sighting, WireName } from '../dns/rrset.ts';

export type PresentableRrset = Omit<Rrset, keyof Sighting | 'origin'>;

/** The part that all messages about one RRset share, serialized once. */
export interface RrsetMembers {
  readonly json: string;
}

export function rrsetMembers({ owner, type, bailiwick, rdata }: PresentableRrset): RrsetMembers {
  const names = `"bailiwick":${bailiwicks.textOf(bailiwick)},"rrname":${textOf(owner)}`;
  const data = rdata.map((one) => JSON.stringify(rdataText(type, one)));
  return { json: `${names},"rrclass":"IN","rrtype":"${typeText(type)}","rdata":[${data.join(',')}]` };
}

/** `INSERTION`: first sighting, with a count of 1. `MERGED`: all sightings of the batch, the insertion included. */
export type DedupeType = 'INSERTION' | 'MERGED';

export function dedupeLine(
  type: DedupeType,
  { firstSeconds, lastSeconds, count }: Sighting,
  { json }: RrsetMembers,
  nowMs: number,
): string {
  const times = `"time_first":"${secondText(firstSeconds)}","time_last":"${secondText(lastSeconds)}"`;
  return lineOf('dnsdedupe', `"type":"${type}","count":${count},${times},${json}`, nowMs);
}

/** What was newly observed of an RRset. */
export interface NewParts {
  readonly newDomain: boolean;
  readonly newName: boolean;
  readonly newType: boolean;
  readonly newRrset: boolean;
  /** One for each rdata. */
  readonly newRr: readonly boolean[];
}

export interface NewDomainMessage {
  readonly domain: WireName;
  readonly seenSeconds: number;
  readonly members: RrsetMembers;
  readonly parts?: NewParts;
}

export function newDomainLine(
  { domain, seenSeconds, members: { json }, parts }: NewDomainMessage,
  nowMs: number,
): string {
  const seen = `"domain":${domains.textOf(domain)},"time_seen":"${secondText(seenSeconds)}"`;
  return lineOf('newdomain', `${seen},${json},"keys":[],${parts ? partsText(parts) : '"new_rr":[]'}`, nowMs);
}

function partsText({ newDomain, newName, newType, newRrset, newRr }: NewParts): string {
  const names = `"new_domain":${newDomain},"new_rrname":${newName},"new_rrtype":${newType}`;
  return `${names},"new_rr":[${newRr.join(',')}],"new_rrset":${newRrset}`;
}

function lineOf(messageType: MessageType, members: string, nowMs: number): string {
  if (envelopes.ofMs !== nowMs) {
    envelopes.ofMs = nowMs;
    for (const type of messageTypes) envelopes[type] = envelopeOf(type, nowMs);
  }
  return `${envelopes[messageType]}${members}}}\n`;
}

const messageTypes = ['dnsdedupe', 'newdomain'] as const;
type MessageType = (typeof messageTypes)[number];

/** A cache: hundreds of lines have the same millisecond. */
const envelopes = { ofMs: Number.NaN, dnsdedupe: '', newdomain: '' };

function envelopeOf(messageType: MessageType, nowMs: number): string {
  const nanoseconds = `${String(nowMs % 1000).padStart(3, '0')}000000`;
  const time = `${secondText(Math.floor(nowMs / 1000))}.${nanoseconds}`;
  return `{"time":"${time}","vname":"SIE","mname":"${messageType}","message":{`;
}

function textOf(name: WireName): string {
  return JSON.stringify(nameText(name));
}

/** The last text: the RRsets of a scan share the bytes of such a name in line after line. */
class LastText {
  #name: WireName | undefined;
  #text = '';

  textOf(name: WireName): string {
    if (name !== this.#name) {
      this.#name = name;
      this.#text = textOf(name);
    }
    return this.#text;
  }
}

const bailiwicks = new LastText();
const domains = new LastText();

/** A cache: the same few seconds occur in line after line. */
const recentMax = 64;
const recentSeconds = new Array<number>(recentMax).fill(-1);
const recentTexts = new Array<string>(recentMax).fill('');

/** `2026-01-28 11:59:40` in UTC. */
export function secondText(seconds: number): string {
  const slot = seconds % recentMax;
  if (recentSeconds[slot] !== seconds) {
    recentSeconds[slot] = seconds;
    recentTexts[slot] = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  }
  return recentTexts[slot] as string;
}
