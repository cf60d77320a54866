/**
 * Frame Streams, the framing of dnstap (https://farsightsec.github.io/fstrm/): decodes frames from chunks of bytes and encodes
 * control frames. A frame is a four-byte length and a payload; length 0 announces a control frame. The meaning of control frames is
 * in `stream-reader.ts`.
 */

export const frameBytesMax = 1_048_576;
const controlBytesMax = 512;
const fieldBytesMax = 256;
const contentTypeField = 1;

const controlNumbers = { ACCEPT: 1, START: 2, STOP: 3, READY: 4, FINISH: 5 } as const;
export type ControlType = keyof typeof controlNumbers;
const controlTypes = new Map(
  Object.entries(controlNumbers).map(([type, number]) => [number as number, type as ControlType]),
);

export type FramingFault = 'frame-too-long' | 'control-malformed';

/** `offset` is that of the frame's first byte, its length field included, in the stream. */
export type Frame =
  | { readonly kind: 'data'; readonly offset: number; readonly payload: Uint8Array }
  | {
      readonly kind: 'control';
      readonly offset: number;
      /** Undefined for a type that the protocol does not define. */
      readonly type: ControlType | undefined;
      readonly contentTypes: readonly string[];
    }
  | { readonly kind: 'fault'; readonly offset: number; readonly reason: FramingFault };

/**
 * Push a chunk, then call `next` until it returns undefined. A fault is final, because the next frame cannot be located. Each byte
 * is copied a bounded number of times, and at most one frame and one chunk are held.
 */
export class FrameDecoder {
  #chunk: Uint8Array = new Uint8Array(0);
  /** Offset in the chunk of the first unread byte. */
  #at = 0;
  /** The received part of an incomplete item. */
  #held: Uint8Array = new Uint8Array(0);
  #heldLength = 0;
  /** Bytes of the stream before `#held` and the unread part of the chunk. */
  #consumed = 0;
  #frameOffset = 0;
  #expects: 'length' | 'payload' | 'control-length' | 'control' = 'length';
  #size = 4;
  #fault: Frame | undefined;

  /** Only after `next` returned undefined; the chunk must not be modified afterwards. */
  push(chunk: Uint8Array): void {
    // `Buffer.slice` is a view where `Uint8Array.slice` copies.
    this.#chunk = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#at = 0;
  }

  next(): Frame | undefined {
    for (;;) {
      if (this.#fault) return this.#fault;
      const offset = this.#consumed;
      const bytes = this.#readBytes(this.#size);
      if (!bytes) return undefined;
      const frame = this.#step(bytes, offset);
      if (frame) return frame;
    }
  }

  /** Offset of a frame that has arrived in part; undefined between frames. */
  get openFrameOffset(): number | undefined {
    if (this.#expects !== 'length') return this.#frameOffset;
    return this.#heldLength > 0 ? this.#consumed : undefined;
  }

  #step(bytes: Uint8Array, offset: number): Frame | undefined {
    const expected = this.#expects;
    this.#expect('length', 4);
    if (expected === 'payload') return { kind: 'data', offset: this.#frameOffset, payload: bytes };
    if (expected === 'control') return this.#control(bytes);
    const size = u32(bytes, 0);
    if (expected === 'control-length') {
      if (size < 4 || size > controlBytesMax) return this.#fail('control-malformed');
      return this.#expect('control', size);
    }
    this.#frameOffset = offset;
    if (size > frameBytesMax) return this.#fail('frame-too-long');
    return size === 0 ? this.#expect('control-length', 4) : this.#expect('payload', size);
  }

  #expect(what: 'length' | 'payload' | 'control-length' | 'control', size: number): undefined {
    this.#expects = what;
    this.#size = size;
  }

  #control(bytes: Uint8Array): Frame {
    const contentTypes = contentTypesIn(bytes);
    if (!contentTypes) return this.#fail('control-malformed');
    return {
      kind: 'control',
      offset: this.#frameOffset,
      type: controlTypes.get(u32(bytes, 0)),
      contentTypes,
    };
  }

  #fail(reason: FramingFault): Frame {
    this.#fault = { kind: 'fault', offset: this.#frameOffset, reason };
    return this.#fault;
  }

  /** The next `size` bytes: a view of the chunk where possible, otherwise the held bytes and their end. */
  #readBytes(size: number): Uint8Array | undefined {
    const available = this.#chunk.length - this.#at;
    if (this.#heldLength === 0 && available >= size) {
      this.#at += size;
      this.#consumed += size;
      return this.#chunk.subarray(this.#at - size, this.#at);
    }
    const more = Math.min(size - this.#heldLength, available);
    this.#hold(more, size);
    if (this.#heldLength < size) return undefined;
    const whole = this.#held.subarray(0, size);
    this.#held = new Uint8Array(0);
    this.#heldLength = 0;
    this.#consumed += size;
    return whole;
  }

  /** Grows by doubling, never straight to the announced size: a length field alone must not allocate memory. */
  #hold(more: number, size: number): void {
    const needed = this.#heldLength + more;
    if (needed > this.#held.length) {
      const larger = new Uint8Array(Math.min(size, Math.max(needed, 2 * this.#held.length, 64)));
      larger.set(this.#held.subarray(0, this.#heldLength));
      this.#held = larger;
    }
    this.#held.set(this.#chunk.subarray(this.#at, this.#at + more), this.#heldLength);
    this.#heldLength = needed;
    this.#at += more;
  }
}

/** Undefined when a field is too long or exceeds the frame. Fields of other types are skipped. */
function contentTypesIn(control: Uint8Array): string[] | undefined {
  const contentTypes: string[] = [];
  let at = 4;
  while (at < control.length) {
    if (at + 8 > control.length) return undefined;
    const [type, size] = [u32(control, at), u32(control, at + 4)];
    const end = at + 8 + size;
    if (size > fieldBytesMax || end > control.length) return undefined;
    if (type === contentTypeField)
      contentTypes.push(Buffer.from(control.subarray(at + 8, end)).toString('latin1'));
    at = end;
  }
  return contentTypes;
}

export function encodeControl(type: ControlType, contentType?: string): Uint8Array {
  const content = contentType === undefined ? undefined : Buffer.from(contentType, 'latin1');
  const bytes = Buffer.alloc(12 + (content ? 8 + content.length : 0));
  bytes.writeUInt32BE(bytes.length - 8, 4);
  bytes.writeUInt32BE(controlNumbers[type], 8);
  if (content) {
    bytes.writeUInt32BE(contentTypeField, 12);
    bytes.writeUInt32BE(content.length, 16);
    content.copy(bytes, 20);
  }
  return bytes;
}

function u32(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  return high * 0x1_0000 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
}
