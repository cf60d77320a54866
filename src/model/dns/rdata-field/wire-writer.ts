/**
 * A buffer for encoding rdata. It never grows: bytes beyond its end are counted and discarded, and `finish` then returns
 * undefined.
 */
import { rdataBytesMax } from '../rrset.ts';

/** Room to write a whole name before its end is checked. */
const slackBytes = 512;

export class WireWriter {
  readonly bytes = new Uint8Array(rdataBytesMax + slackBytes);
  length = 0;

  get isFull(): boolean {
    return this.length > rdataBytesMax;
  }

  put8(value: number): void {
    this.bytes[this.length++] = value;
  }

  put16(value: number): void {
    this.put8(value >>> 8);
    this.put8(value);
  }

  put32(value: number): void {
    this.put16(value >>> 16);
    this.put16(value & 0xffff);
  }

  putAll(bytes: Uint8Array): void {
    if (this.length + bytes.length <= this.bytes.length) this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes a length byte and what `write` writes; false when that is more than 255 bytes. */
  counted(write: () => boolean): boolean {
    const countAt = this.length;
    this.put8(0);
    if (!write()) return false;
    const count = this.length - countAt - 1;
    this.bytes[countAt] = count;
    return count <= 255;
  }

  /** A copy of everything written, since the buffer is reused. */
  finish(): Uint8Array | undefined {
    return this.isFull ? undefined : this.bytes.slice(0, this.length);
  }
}
