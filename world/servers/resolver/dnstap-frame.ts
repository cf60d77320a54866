/** A dnstap frame of kind RESOLVER_RESPONSE, as resolvers write it (dnstap.proto): protobuf by hand, with the few fields that it takes. */

export interface ResolverResponse {
  /** The zone that was asked, as a name on the wire. */
  readonly zone: Uint8Array;
  /** Of the server that answered. */
  readonly serverAddress: Uint8Array;
  readonly atMs: number;
  readonly message: Uint8Array;
}

const identity = Buffer.from('resolver-1');
const version = Buffer.from('world resolver');
const [resolverResponse, ipv4, udp, dnsPort, messageType] = [4, 1, 1, 53, 1];

export function dnstapFrame({ zone, serverAddress, atMs, message }: ResolverResponse): Uint8Array {
  const seconds = Math.floor(atMs / 1000);
  const nanoseconds = Math.floor(atMs % 1000) * 1_000_000;
  const inner = Buffer.concat([
    numberField(1, resolverResponse),
    numberField(2, ipv4),
    numberField(3, udp),
    bytesField(5, serverAddress),
    numberField(7, dnsPort),
    bytesField(11, zone),
    numberField(12, seconds),
    fixedField(13, nanoseconds),
    bytesField(14, message),
  ]);
  return Buffer.concat([
    bytesField(1, identity),
    bytesField(2, version),
    bytesField(14, inner),
    numberField(15, messageType),
  ]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
}

function numberField(field: number, value: number): Buffer {
  return Buffer.from([...varint(field * 8), ...varint(value)]);
}

function bytesField(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(bytes.length)]), bytes]);
}

function fixedField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return Buffer.concat([Buffer.from(varint(field * 8 + 5)), bytes]);
}
