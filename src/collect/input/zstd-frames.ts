/**
 * Splits zstd data at frame boundaries. Node's decoder silently drops what follows the end of a frame within one write, and
 * concatenated or parallel-compressed files have many frames.
 */

type Part = 'frame header' | 'skippable length' | 'block header' | 'body';

const skippableHeaderBytes = 8;

/** Length of a frame header, magic number included, from its fifth byte (RFC 8878, 3.1.1.1). */
function frameHeaderBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const contentSizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  return 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + contentSizeBytes;
}

class FrameScanner {
  #part: Part = 'frame header';
  #head: number[] = [];
  #bodyBytesLeft = 0;
  #isLastBlock = false;
  #checksumBytes = 0;

  /** Offset after the first frame that ends after `from`, or the length of `bytes`. */
  frameEnd(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length) {
      if (this.#part === 'body') {
        const step = Math.min(this.#bodyBytesLeft, bytes.length - at);
        at += step;
        this.#bodyBytesLeft -= step;
        if (this.#bodyBytesLeft === 0 && this.#endBody()) return at;
      } else {
        this.#head.push(bytes[at] as number);
        at += 1;
        if (this.#readHead()) return at;
      }
    }
    return at;
  }

  /** True when the frame has ended. */
  #endBody(): boolean {
    this.#head = [];
    this.#part = this.#isLastBlock ? 'frame header' : 'block header';
    return this.#isLastBlock;
  }

  #startBody(length: number, isLast: boolean): boolean {
    this.#part = 'body';
    this.#bodyBytesLeft = length;
    this.#isLastBlock = isLast;
    return length === 0 && this.#endBody();
  }

  #readHead(): boolean {
    const head = this.#head;
    const [first = 0, second = 0, third = 0, , fifth = 0] = head;
    if (this.#part === 'frame header') {
      if (head.length === 4 && (first & 0xf0) === 0x50) this.#part = 'skippable length';
      if (head.length < 5 || head.length < frameHeaderBytes(fifth)) return false;
      this.#checksumBytes = (fifth & 0x04) === 0 ? 0 : 4;
      return this.#startBody(0, false);
    }
    if (this.#part === 'skippable length') {
      if (head.length < skippableHeaderBytes) return false;
      const length = (fifth | ((head[5] ?? 0) << 8) | ((head[6] ?? 0) << 16) | ((head[7] ?? 0) << 24)) >>> 0;
      return this.#startBody(length, true);
    }
    if (head.length < 3) return false;
    const isLast = (first & 1) === 1;
    const isRunLength = ((first >> 1) & 3) === 1;
    const blockBytes = isRunLength ? 1 : (first | (second << 8) | (third << 16)) >> 3;
    return this.#startBody(blockBytes + (isLast ? this.#checksumBytes : 0), isLast);
  }
}

export async function* zstdFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const scanner = new FrameScanner();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const end = scanner.frameEnd(chunk, at);
      yield chunk.subarray(at, end);
      at = end;
    }
  }
}
