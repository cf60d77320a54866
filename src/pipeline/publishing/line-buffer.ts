/** Lines as bytes, in memory that is used again: texts that wait to be joined would be copied by every collection of garbage. */

const firstBytes = 16_384;
/** A code unit of UTF-16 takes at most so many in UTF-8. */
const bytesPerUnitMax = 3;

export class LineBuffer {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(line: string): void {
    this.#reserve(line.length * bytesPerUnitMax);
    this.#length += this.#bytes.write(line, this.#length, 'utf8');
  }

  /** A copy of all lines. */
  copy(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.#length));
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
