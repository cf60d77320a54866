/**
 * The protobuf of a dnstap frame (dnstap.proto, proto2), decoded by hand as far as passive DNS needs it. Addresses and
 * ports are passed over with every other field: who asked is never read.
 */

/** By their number in the protocol. */
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
  /** Undefined for a kind that this protocol version does not name. */
  readonly kind: DnstapKind | undefined;
  /** The zone that the answering server was asked for, as it stands there: nobody has looked whether it is a name. */
  readonly queryZone: Uint8Array | undefined;
  /** 0 where the writer did not say. */
  readonly responseTimeSeconds: number;
  readonly responseMessage: Uint8Array | undefined;
}

const frameMessageField = 14;
const kindField = 1;
const queryZoneField = 11;
const responseTimeField = 12;
const responseMessageField = 14;

/** Undefined when the frame is not well-formed or has no message in it. */
export function readDnstap(frame: Uint8Array): DnstapMessage | undefined {
  let message: Uint8Array | undefined;
  const isWellFormed = eachField(frame, (field, value) => {
    if (field === frameMessageField && typeof value === 'object') message = value;
  });
  return isWellFormed && message ? readInner(message) : undefined;
}

function readInner(bytes: Uint8Array): DnstapMessage | undefined {
  let kindNumber: number | undefined;
  let queryZone: Uint8Array | undefined;
  let responseTimeSeconds = 0;
  let responseMessage: Uint8Array | undefined;
  const isWellFormed = eachField(bytes, (field, value) => {
    if (typeof value === 'number') {
      if (field === kindField) kindNumber = value;
      else if (field === responseTimeField) responseTimeSeconds = value;
    } else if (field === queryZoneField) queryZone = value;
    else if (field === responseMessageField) responseMessage = value;
  });
  if (!isWellFormed || kindNumber === undefined) return undefined;
  return { kind: kinds[kindNumber], queryZone, responseTimeSeconds, responseMessage };
}

/** Shows each varint as a number and each string of bytes as a view; fixed-width fields hold nothing we need. */
function eachField(bytes: Uint8Array, show: (field: number, value: number | Uint8Array) => void): boolean {
  const varint = { value: 0, end: 0 };
  let at = 0;
  while (at < bytes.length) {
    if (!readVarint(bytes, at, varint)) return false;
    const [field, wireType] = [Math.floor(varint.value / 8), varint.value % 8];
    at = varint.end;
    if (wireType === 0) {
      if (!readVarint(bytes, at, varint)) return false;
      show(field, varint.value);
      at = varint.end;
    } else if (wireType === 2) {
      if (!readVarint(bytes, at, varint)) return false;
      at = varint.end + varint.value;
      if (at > bytes.length) return false;
      show(field, bytes.subarray(varint.end, at));
    } else if (wireType === 5) at += 4;
    else if (wireType === 1) at += 8;
    else return false;
  }
  return at === bytes.length;
}

/** At most ten bytes. Beyond 2^53 the number is rounded, which is as wrong for us as the number itself. */
function readVarint(bytes: Uint8Array, at: number, into: { value: number; end: number }): boolean {
  let [value, scale] = [0, 1];
  const limit = Math.min(bytes.length, at + 10);
  for (let place = at; place < limit; place++) {
    const byte = bytes[place] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) {
      into.value = value;
      into.end = place + 1;
      return true;
    }
    scale *= 128;
  }
  return false;
}
