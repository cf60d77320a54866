/**
 * Decodes the needed fields of a dnstap frame (dnstap.proto, proto2): the server's address among them. The client's address is
 * skipped with all other fields, unless distinct clients are counted.
 */

/** Indexed by their protocol number. */
const kinds = [
  undefined,
  'AUTH_QUERY',
  'AUTH_RESPONSE',
  'RESOLVER_QUERY',
  'RESOLVER_RESPONSE',
  'CLIENT_QUERY',
  'CLIENT_RESPONSE',
  'FORWARDER_QUERY',
  'FORWARDER_RESPONSE',
  'STUB_QUERY',
  'STUB_RESPONSE',
  'TOOL_QUERY',
  'TOOL_RESPONSE',
  'UPDATE_QUERY',
  'UPDATE_RESPONSE',
] as const;

export type DnstapKind = NonNullable<(typeof kinds)[number]>;

/** Byte fields are views of the frame. */
export interface DnstapMessage {
  /** Undefined for a message type that is not known. */
  readonly kind: DnstapKind | undefined;
  /** The zone of the query, in wire format, not validated. */
  readonly queryZone: Uint8Array | undefined;
  /** 0 where the writer did not set it. */
  readonly responseTimeSeconds: number;
  /** Below a second; 0 where the writer did not set it. */
  readonly responseTimeNanoseconds: number;
  /** Address of the server, length not validated. */
  readonly responseAddress: Uint8Array | undefined;
  readonly responseMessage: Uint8Array | undefined;
  /** Address of the client, length not validated; undefined unless it was asked for. */
  readonly queryAddress?: Uint8Array | undefined;
}

/** Field number and wire type: 0 is a varint, 2 is length-delimited, 5 is four bytes. */
const tagOf = (field: number, wireType: number) => field * 8 + wireType;
const frameMessageTag = tagOf(14, 2);
const kindTag = tagOf(1, 0);
const queryAddressTag = tagOf(4, 2);
const responseAddressTag = tagOf(5, 2);
const queryZoneTag = tagOf(11, 2);
const responseSecondsTag = tagOf(12, 0);
const responseNanosecondsTag = tagOf(13, 5);
const responseMessageTag = tagOf(14, 2);
const nanosecondsMax = 999_999_999;

/** Undefined for a malformed frame and for one without a message. */
export function readDnstap(frame: Uint8Array, withClient = false): DnstapMessage | undefined {
  let message: Uint8Array | undefined;
  const isWellFormed = eachField(frame, (tag, value) => {
    if (tag === frameMessageTag) message = value as Uint8Array;
  });
  return isWellFormed && message ? readInner(message, withClient) : undefined;
}

function readInner(bytes: Uint8Array, withClient: boolean): DnstapMessage | undefined {
  let kindNumber: number | undefined;
  let queryZone: Uint8Array | undefined;
  let responseTimeSeconds = 0;
  let nanoseconds = 0;
  let responseAddress: Uint8Array | undefined;
  let responseMessage: Uint8Array | undefined;
  let queryAddress: Uint8Array | undefined;
  const isWellFormed = eachField(bytes, (tag, value) => {
    if (typeof value === 'number') {
      if (tag === kindTag) kindNumber = value;
      else if (tag === responseSecondsTag) responseTimeSeconds = value;
      else if (tag === responseNanosecondsTag) nanoseconds = value;
    } else if (tag === queryZoneTag) queryZone = value;
    else if (tag === responseMessageTag) responseMessage = value;
    else if (tag === responseAddressTag) responseAddress = value;
    else if (withClient && tag === queryAddressTag) queryAddress = value;
  });
  if (!isWellFormed || kindNumber === undefined) return undefined;
  const responseTimeNanoseconds = nanoseconds > nanosecondsMax ? 0 : nanoseconds;
  return {
    kind: kinds[kindNumber],
    queryZone,
    responseTimeSeconds,
    responseTimeNanoseconds,
    responseAddress,
    responseMessage,
    ...(queryAddress ? { queryAddress } : {}),
  };
}

/** Passes numbers, and byte strings as views; 64-bit fields are skipped. */
function eachField(bytes: Uint8Array, onField: (tag: number, value: number | Uint8Array) => void): boolean {
  const varint = { value: 0, end: 0 };
  let at = 0;
  while (at < bytes.length) {
    if (!readVarint(bytes, at, varint)) return false;
    const tag = varint.value;
    const wireType = tag % 8;
    at = varint.end;
    if (wireType === 0) {
      if (!readVarint(bytes, at, varint)) return false;
      onField(tag, varint.value);
      at = varint.end;
    } else if (wireType === 2) {
      if (!readVarint(bytes, at, varint)) return false;
      at = varint.end + varint.value;
      if (at > bytes.length) return false;
      onField(tag, bytes.subarray(varint.end, at));
    } else if (wireType === 5) {
      onField(tag, u32(bytes, at));
      at += 4;
    } else if (wireType === 1) at += 8;
    else return false;
  }
  return at === bytes.length;
}

/** At most ten bytes. Values beyond 2^53 are rounded; no field we read has such values. */
function readVarint(bytes: Uint8Array, at: number, into: { value: number; end: number }): boolean {
  let [value, scale] = [0, 1];
  const limit = Math.min(bytes.length, at + 10);
  for (let index = at; index < limit; index++) {
    const byte = bytes[index] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) {
      into.value = value;
      into.end = index + 1;
      return true;
    }
    scale *= 128;
  }
  return false;
}

/** Little-endian; bytes beyond the end read as zero. */
function u32(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return low + (bytes[at + 3] ?? 0) * 0x100_0000;
}
