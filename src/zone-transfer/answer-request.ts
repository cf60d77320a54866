/**
 * Answers to requests about zones: SOA, AXFR, IXFR, and REFUSED to everything else. A client with neither a key nor an allowed address learns nothing, not
 * even whether a zone exists.
 */
import { containsAddress } from '../model/address/address-list.ts';
import type { Clock } from '../model/clock.ts';
import { MessageWriter, type WireRecord } from '../model/dns/message-writer.ts';
import { nameText } from '../model/dns/name.ts';
import { rcodeText } from '../model/dns/rcode.ts';
import { TsigSigner, tsigError, verifyTsig, withUnsignedTsig } from '../model/dns/tsig.ts';
import type { Settings } from '../model/settings/settings.ts';
import type { BlocklistStore } from '../store/detect/blocklist-store.ts';
import type { PolicyZone, PolicyZones } from './policy-zones.ts';
import type { TsigKeys, ZoneKey } from './tsig-keys.ts';
import { type NameReader, scanDifference, scanZone, soaRecord, type ZoneVersion } from './zone-records.ts';
import { queryTypes, readZoneRequest, type ZoneRequest } from './zone-request.ts';

export interface AnswerNeeds {
  readonly zones: PolicyZones;
  readonly keys: TsigKeys;
  readonly blocklists: NameReader & Pick<BlocklistStore, 'findSerial'>;
  readonly settings: Pick<Settings, 'rpz' | 'detect'>;
  readonly clock: Clock;
  readonly report: (event: AnswerEvent) => void;
}

export type AnswerEvent =
  | {
      readonly event: 'transfer';
      readonly kind: 'axfr' | 'ixfr';
      readonly zone: PolicyZone;
      readonly peer: Peer;
      readonly keyName: string | undefined;
    }
  | { readonly event: 'refused'; readonly reason: string; readonly peer: Peer };

export interface Peer {
  readonly address: string;
  readonly transport: 'udp' | 'tcp';
}

/** Larger messages save little, and other transfers wait for each. */
const messageBytes = 16_384;
/** What a TSIG record may add. */
const udpGrowthBytesMax = 200;
const ednsBytes = 1232;
const rcodes = { formErr: 1, servFail: 2, refused: 5, notAuth: 9, badVersion: 16 } as const;
const internetClass = 1;

/** The messages of the answer; none to what is no request. */
export async function* answerRequest(
  bytes: Uint8Array,
  peer: Peer,
  needs: AnswerNeeds,
): AsyncGenerator<Buffer, void, undefined> {
  const request = readZoneRequest(bytes);
  if (request === 'ignored') return;
  if ('malformed' in request) {
    yield new MessageWriter({ id: request.malformed, rcode: rcodes.formErr }).finish();
    return;
  }
  const signing = authenticate(request, peer, needs);
  if ('answer' in signing) {
    yield signing.answer;
    return;
  }
  const { key, sign } = signing;
  const refuse = (rcode: number, reason: string) => {
    needs.report({ event: 'refused', reason, peer });
    return sign(errorAnswer(request, rcode));
  };
  const zone = await findZone(request, peer, key, needs);
  if (typeof zone === 'string') {
    yield refuse(zone === 'BADVERS' ? rcodes.badVersion : rcodes.refused, zone);
    return;
  }
  let sentBytes = 0;
  const pages = await recordPages(request, peer, { zone, key }, needs);
  for await (const message of messagesOf(request, pages)) {
    const signed = sign(message);
    sentBytes += signed.length;
    if (peer.transport === 'udp' && sentBytes > bytes.length + udpGrowthBytesMax) {
      yield refuse(rcodes.refused, 'the answer would be larger than the request');
      return;
    }
    yield signed;
  }
}

interface Authenticated {
  readonly key: ZoneKey | undefined;
  readonly sign: (message: Buffer) => Buffer;
}

function authenticate(
  request: ZoneRequest,
  peer: Peer,
  { keys, clock, report }: AnswerNeeds,
): Authenticated | { readonly answer: Buffer } {
  const { tsig, bytes } = request;
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  if (!tsig) return { key: undefined, sign: (message) => message };
  const key = keys.find(tsig.keyName);
  const error = verifyTsig(bytes, tsig, key, { nowSeconds: nowSeconds() });
  const refused = (reason: string, answer: Buffer) => {
    report({ event: 'refused', reason, peer });
    return { answer };
  };
  if (error === 'malformed') return refused('FORMERR', errorAnswer(request, rcodes.formErr));
  const notAuthorized = () => errorAnswer(request, rcodes.notAuth);
  if (!key || error === tsigError.badKey || error === tsigError.badSig)
    return refused(rcodeName(error), withUnsignedTsig(notAuthorized(), tsig, error));
  const signer = new TsigSigner(key, tsig.mac);
  if (error === tsigError.badTime)
    return refused('BADTIME', signer.sign(notAuthorized(), nowSeconds(), tsig));
  if (error !== tsigError.none)
    return refused(rcodeName(error), signer.signError(notAuthorized(), nowSeconds(), error));
  return { key, sign: (message) => signer.sign(message, nowSeconds()) };
}

/** As an error of TSIG, 16 is another one than in EDNS. */
function rcodeName(error: number): string {
  return error === tsigError.badSig ? 'BADSIG' : rcodeText(error);
}

/** Or why not. */
async function findZone(
  { opcode, question, ednsVersion }: ZoneRequest,
  { address, transport }: Peer,
  key: ZoneKey | undefined,
  { zones, settings }: AnswerNeeds,
): Promise<PolicyZone | string> {
  if ((ednsVersion ?? 0) > 0) return 'BADVERS';
  const { soa, ixfr, axfr } = queryTypes;
  const isKnown = question.type === soa || question.type === ixfr || question.type === axfr;
  if (opcode !== 0 || !isKnown || question.class !== internetClass) return 'no question about a zone';
  if (question.type === axfr && transport === 'udp') return 'AXFR over UDP';
  if (!key && !containsAddress(settings.rpz.allow, address)) return 'no key';
  const zone = await zones.find(nameText(question.name).slice(0, -1));
  if (!zone) return 'no such zone';
  return key && !key.mayRead(zone.account) ? 'not a zone of this key' : zone;
}

type Pages = AsyncIterable<readonly WireRecord[]> | Iterable<readonly WireRecord[]>;

async function recordPages(
  { question, clientSerial }: ZoneRequest,
  peer: Peer,
  { zone, key }: { readonly zone: PolicyZone; readonly key: ZoneKey | undefined },
  { blocklists, settings, report }: AnswerNeeds,
): Promise<Pages> {
  const { serial } = zone;
  const ttlSeconds = settings.detect.blocklistTtlSeconds;
  const version: ZoneVersion = { key: zone.key, zone: question.name, serial, ttlSeconds };
  const soaAlone = [[soaRecord(version)]];
  const reportAs = (kind: 'axfr' | 'ixfr') =>
    report({ event: 'transfer', kind, zone, peer, keyName: key && nameText(key.name) });
  if (question.type === queryTypes.soa) return soaAlone;
  if (question.type === queryTypes.ixfr && clientSerial !== undefined) {
    // Over UDP the difference would not fit, and this says that there is one.
    if (peer.transport === 'udp' || !isOlder(clientSerial, serial)) return soaAlone;
    const from = await blocklists.findSerial(zone.key, clientSerial);
    if (from !== undefined && from < serial) {
      reportAs('ixfr');
      return scanDifference(version, from, blocklists);
    }
  } else if (peer.transport === 'udp') return soaAlone;
  reportAs('axfr');
  return scanZone(version, blocklists);
}

/** Serial number arithmetic (RFC 1982). */
function isOlder(clientSerial: number, serial: number): boolean {
  const ahead = (serial - clientSerial) >>> 0;
  return ahead !== 0 && ahead <= 2 ** 31;
}

async function* messagesOf(request: ZoneRequest, pages: Pages): AsyncGenerator<Buffer> {
  let message = beginAnswer(request);
  if (request.ednsVersion !== undefined) message.addOpt(ednsBytes);
  for await (const records of pages)
    for (const record of records) {
      if (message.length > messageBytes) {
        yield message.finish();
        message = beginAnswer(request);
      }
      message.addAnswer(record);
    }
  yield message.finish();
}

function beginAnswer({ id, questionBytes }: ZoneRequest): MessageWriter {
  return new MessageWriter({ id, question: questionBytes, isAuthoritative: true });
}

function errorAnswer({ id, opcode, questionBytes, ednsVersion }: ZoneRequest, rcode: number): Buffer {
  const message = new MessageWriter({ id, opcode, question: questionBytes, rcode });
  if (ednsVersion !== undefined) message.addOpt(ednsBytes, rcode >>> 4);
  return message.finish();
}
