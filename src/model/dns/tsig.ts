/** Transaction signatures of DNS messages (RFC 8945): a record at the end of a message with a MAC over it and over the message before. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { compressedNameEnd, expandName } from './compressed-name.ts';
import { parseName } from './name.ts';
import type { WireName } from './rrset.ts';
import { nameBytesMax } from './write-name.ts';

export type TsigAlgorithm = 'hmac-sha256' | 'hmac-sha512';

export interface TsigKey {
  /** Lower case. */
  readonly name: WireName;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** A TSIG record as received. */
export interface ReceivedTsig {
  /** Where the record begins, which is the end of what it signs. */
  readonly start: number;
  readonly keyName: WireName;
  readonly algorithm: WireName;
  readonly timeSigned: number;
  readonly fudge: number;
  readonly mac: Uint8Array;
  readonly originalId: number;
  readonly error: number;
  readonly other: Uint8Array;
}

export const tsigError = { none: 0, badSig: 16, badKey: 17, badTime: 18, badTrunc: 22 } as const;
export type TsigError = (typeof tsigError)[keyof typeof tsigError];

const tsigType = 250;
const anyClass = 255;
const headerBytes = 12;
const usualFudgeSeconds = 300;
const digests = { 'hmac-sha256': ['sha256', 32], 'hmac-sha512': ['sha512', 64] } as const;
const algorithmNames = {
  'hmac-sha256': parseName('hmac-sha256') as WireName,
  'hmac-sha512': parseName('hmac-sha512') as WireName,
};

/**
 * The TSIG record of a message; `none` if it has none, undefined if the message is malformed or has one that is not its last record. The time is
 * linear in the length of the message.
 */
export function readTsig(message: Uint8Array): ReceivedTsig | 'none' | undefined {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  if (message.length < headerBytes) return undefined;
  let at = headerBytes;
  for (let left = view.getUint16(4); left > 0; left -= 1) {
    const end = compressedNameEnd(message, at, message.length);
    if (end === undefined || end + 4 > message.length) return undefined;
    at = end + 4;
  }
  const records = view.getUint16(6) + view.getUint16(8) + view.getUint16(10);
  for (let left = records; left > 0; left -= 1) {
    const start = at;
    const end = compressedNameEnd(message, at, message.length);
    if (end === undefined || end + 10 > message.length) return undefined;
    at = end + 10 + view.getUint16(end + 8);
    if (at > message.length) return undefined;
    if (view.getUint16(end) !== tsigType) continue;
    const isLast = left === 1 && view.getUint16(10) > 0 && at === message.length;
    const isWellFormed = view.getUint16(end + 2) === anyClass && view.getUint32(end + 4) === 0;
    return isLast && isWellFormed ? readRecord(message, start, end + 10) : undefined;
  }
  return 'none';
}

function readRecord(message: Uint8Array, start: number, rdataAt: number): ReceivedTsig | undefined {
  const keyName = nameAt(message, start);
  const algorithm = nameAt(message, rdataAt);
  const end = compressedNameEnd(message, rdataAt, message.length);
  if (!keyName || !algorithm || end === undefined || end + 10 > message.length) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const macEnd = end + 10 + view.getUint16(end + 8);
  if (macEnd + 6 > message.length || macEnd + 6 + view.getUint16(macEnd + 4) !== message.length)
    return undefined;
  return {
    start,
    keyName,
    algorithm,
    timeSigned: view.getUint16(end) * 2 ** 32 + view.getUint32(end + 2),
    fudge: view.getUint16(end + 6),
    mac: message.slice(end + 10, macEnd),
    originalId: view.getUint16(macEnd),
    error: view.getUint16(macEnd + 2),
    other: message.slice(macEnd + 6),
  };
}

function nameAt(message: Uint8Array, at: number): WireName | undefined {
  const name = new Uint8Array(nameBytesMax);
  const length = expandName(message, at, name, 0);
  return length === undefined ? undefined : name.slice(0, length);
}

export interface TsigCheck {
  readonly nowSeconds: number;
  /** Of the request, where the message is its answer. */
  readonly requestMac?: Uint8Array;
}

/** `malformed`: the length of the MAC is impossible. Truncated ones that could be right are refused as `badTrunc`. */
export function verifyTsig(
  message: Uint8Array,
  tsig: ReceivedTsig,
  key: TsigKey | undefined,
  { nowSeconds, requestMac }: TsigCheck,
): TsigError | 'malformed' {
  if (!key || Buffer.compare(tsig.algorithm, algorithmNames[key.algorithm]) !== 0) return tsigError.badKey;
  const [, macBytes] = digests[key.algorithm];
  const { length } = tsig.mac;
  if (length > macBytes || length < macBytes / 2) return 'malformed';
  const signed = Buffer.from(message.subarray(0, tsig.start));
  signed.writeUInt16BE(tsig.originalId, 0);
  signed.writeUInt16BE(signed.readUInt16BE(10) - 1, 10);
  const expected = macOf(key, [...prefixed(requestMac), signed, variables(key, tsig)]);
  if (!timingSafeEqual(expected.subarray(0, length), tsig.mac)) return tsigError.badSig;
  if (Math.abs(nowSeconds - tsig.timeSigned) > Math.min(tsig.fudge, usualFudgeSeconds))
    return tsigError.badTime;
  return length < macBytes ? tsigError.badTrunc : tsigError.none;
}

/** Signs the messages of one answer, each over the MAC of the one before; the first over that of the request. Or one request. */
export class TsigSigner {
  readonly #key: TsigKey;
  #previous: Uint8Array | undefined;
  #isFirst = true;

  constructor(key: TsigKey, requestMac?: Uint8Array) {
    this.#key = key;
    this.#previous = requestMac;
  }

  /** The MAC of the latest message. */
  get mac(): Uint8Array {
    return this.#previous ?? new Uint8Array();
  }

  /** The message with a TSIG record; `badTime` also says what time it is here. */
  sign(message: Uint8Array, nowSeconds: number, badTimeOf?: ReceivedTsig): Buffer {
    const times = {
      timeSigned: badTimeOf?.timeSigned ?? nowSeconds,
      fudge: usualFudgeSeconds,
    };
    const error = badTimeOf ? tsigError.badTime : tsigError.none;
    return this.#signWith(message, { ...times, error, other: badTimeOf ? time48(nowSeconds) : empty });
  }

  signError(message: Uint8Array, nowSeconds: number, error: TsigError): Buffer {
    return this.#signWith(message, {
      timeSigned: nowSeconds,
      fudge: usualFudgeSeconds,
      error,
      other: empty,
    });
  }

  #signWith(message: Uint8Array, parts: Signed): Buffer {
    const tail = this.#isFirst ? variables(this.#key, parts) : timers(parts);
    const mac = macOf(this.#key, [...prefixed(this.#previous), message, tail]);
    this.#previous = mac;
    this.#isFirst = false;
    return withRecord(message, this.#key.name, algorithmNames[this.#key.algorithm], { ...parts, mac });
  }
}

/** The answer to a signature that cannot be checked or is wrong is not signed. */
export function withUnsignedTsig(
  message: Uint8Array,
  { keyName, algorithm, timeSigned, fudge }: ReceivedTsig,
  error: TsigError,
): Buffer {
  return withRecord(message, keyName, algorithm, { timeSigned, fudge, error, other: empty, mac: empty });
}

type Signed = Pick<ReceivedTsig, 'timeSigned' | 'fudge' | 'error' | 'other'>;

const empty = new Uint8Array();

function macOf({ algorithm, secret }: TsigKey, parts: readonly Uint8Array[]): Buffer {
  const hmac = createHmac(digests[algorithm][0], secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

function prefixed(mac: Uint8Array | undefined): readonly Uint8Array[] {
  return mac === undefined ? [] : [u16(mac.length), mac];
}

function variables({ name, algorithm }: TsigKey, { error, other, ...times }: Signed): Buffer {
  return Buffer.concat([
    name,
    u16(anyClass),
    u16(0),
    u16(0),
    algorithmNames[algorithm],
    timers(times),
    u16(error),
    u16(other.length),
    other,
  ]);
}

function timers({ timeSigned, fudge }: Pick<Signed, 'timeSigned' | 'fudge'>): Buffer {
  return Buffer.concat([time48(timeSigned), u16(fudge)]);
}

function time48(seconds: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(seconds, 0, 6);
  return bytes;
}

function u16(value: number): Buffer {
  return Buffer.of(value >>> 8, value & 255);
}

function withRecord(
  message: Uint8Array,
  keyName: WireName,
  algorithm: WireName,
  { timeSigned, fudge, mac, error, other }: Signed & Pick<ReceivedTsig, 'mac'>,
): Buffer {
  const id = message.subarray(0, 2);
  const rdata = Buffer.concat([
    algorithm,
    timers({ timeSigned, fudge }),
    u16(mac.length),
    mac,
    id,
    u16(error),
    u16(other.length),
    other,
  ]);
  const fixed = [u16(tsigType), u16(anyClass), u16(0), u16(0), u16(rdata.length)];
  const signed = Buffer.concat([message, keyName, ...fixed, rdata]);
  signed.writeUInt16BE(signed.readUInt16BE(10) + 1, 10);
  return signed;
}
