/**
 * NMSG messages as lines of JSON, in the form in which `nmsgtool -J` and downloads of channels have them: an envelope with
 * the vendor and the type of message, and in it the RRset. Passive DNS keeps neither TTLs nor the address of the server that
 * answered, so `rrttl` and `response_ip` are left out.
 */
import { nameText } from './dns/name.ts';
import { rdataText } from './dns/rdata-text.ts';
import { typeText } from './dns/rr-type.ts';
import type { Rrset, Sighting, WireName } from './dns/rrset.ts';

export type PresentableRrset = Omit<Rrset, keyof Sighting | 'origin'>;

/** What all messages about one RRset have in common, to be made once. */
export interface RrsetMembers {
  readonly json: string;
}

export function rrsetMembers({ owner, type, bailiwick, rdata }: PresentableRrset): RrsetMembers {
  const names = `"bailiwick":${textOf(bailiwick)},"rrname":${textOf(owner)}`;
  const data = rdata.map((one) => JSON.stringify(rdataText(type, one)));
  return { json: `${names},"rrclass":"IN","rrtype":"${typeText(type)}","rdata":[${data.join(',')}]` };
}

/** `INSERTION`: never seen before, which counts 1. `MERGED`: seen as often as the count says, an insertion just before included. */
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

/** What was new about an RRset. */
export interface NewParts {
  readonly newDomain: boolean;
  readonly newName: boolean;
  readonly newType: boolean;
  readonly newRrset: boolean;
  /** One for each rdata. */
  readonly newRr: readonly boolean[];
}

export function newDomainLine(
  domain: WireName,
  seenSeconds: number,
  { json }: RrsetMembers,
  nowMs: number,
  parts?: NewParts,
): string {
  const seen = `"domain":${textOf(domain)},"time_seen":"${secondText(seenSeconds)}"`;
  return lineOf('newdomain', `${seen},${json},"keys":[],${parts ? partsText(parts) : '"new_rr":[]'}`, nowMs);
}

function partsText({ newDomain, newName, newType, newRrset, newRr }: NewParts): string {
  const names = `"new_domain":${newDomain},"new_rrname":${newName},"new_rrtype":${newType}`;
  return `${names},"new_rr":[${newRr.join(',')}],"new_rrset":${newRrset}`;
}

function lineOf(messageType: string, members: string, nowMs: number): string {
  const nanoseconds = `${String(nowMs % 1000).padStart(3, '0')}000000`;
  const time = `${secondText(Math.floor(nowMs / 1000))}.${nanoseconds}`;
  return `{"time":"${time}","vname":"SIE","mname":"${messageType}","message":{${members}}}\n`;
}

function textOf(name: WireName): string {
  return JSON.stringify(nameText(name));
}

/** The same few seconds are asked for again and again. */
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
