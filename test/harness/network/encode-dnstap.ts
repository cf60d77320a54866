/** Encodes dnstap frames and Frame Streams, independently of the decoder. */

export const resolverResponse = 4;
export const noon = 1_772_539_200;

export interface WrittenDnstap {
  readonly kind?: number;
  readonly zone?: Uint8Array;
  readonly seconds?: number;
  readonly message?: Uint8Array;
  /** Its address. */
  readonly client?: Uint8Array;
}

export function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
}

export function bytesField(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(bytes.length)]), bytes]);
}

export function numberField(field: number, value: number): Buffer {
  return Buffer.from([...varint(field * 8), ...varint(value)]);
}

export function fixedField(field: number): Buffer {
  return Buffer.from([...varint(field * 8 + 5), 1, 2, 3, 4]);
}

/** Includes the addresses, ports and times that real senders include. */
export function encodeDnstap({
  kind = resolverResponse,
  zone,
  seconds = noon,
  message,
  client = Uint8Array.of(192, 0, 2, 77),
}: WrittenDnstap): Buffer {
  const inner = Buffer.concat([
    numberField(1, kind),
    numberField(2, 1),
    numberField(3, 1),
    bytesField(4, client),
    bytesField(5, Buffer.from([198, 51, 100, 53])),
    numberField(6, 40_000),
    numberField(7, 53),
    zone ? bytesField(11, zone) : Buffer.alloc(0),
    numberField(12, seconds),
    fixedField(13),
    message ? bytesField(14, message) : Buffer.alloc(0),
  ]);
  return Buffer.concat([bytesField(1, Buffer.from('sensor-1')), bytesField(14, inner), numberField(15, 1)]);
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
}

export const contentType = Buffer.from('protobuf:dnstap.Dnstap');

export function dataFrame(payload: Uint8Array): Buffer {
  return Buffer.concat([u32(payload.length), payload]);
}

export function controlFrame(type: number, ...contentTypes: readonly Uint8Array[]): Buffer {
  const fields = contentTypes.flatMap((each) => [u32(1, each.length), each]);
  const body = Buffer.concat([u32(type), ...fields]);
  return Buffer.concat([u32(0, body.length), body]);
}

export const accept = controlFrame(1, contentType);
export const start = controlFrame(2, contentType);
export const stop = controlFrame(3);
export const ready = controlFrame(4, contentType);
export const finish = controlFrame(5);
