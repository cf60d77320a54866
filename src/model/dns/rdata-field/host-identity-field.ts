/**
 * The whole of HIP (RFC 8005): `2 200100107B1A74DF365639CC39F1D578 AwEAAbdx… rvs.example.com.`, that is the algorithm of the public
 * key, the host identity tag, the key, and the rendezvous servers. The wire form begins with the lengths of tag and key.
 */
import { expandName } from '../compressed-name.ts';
import { nameLength, nameText } from '../name.ts';
import { base64Text, hexText, putBase64, putHex } from './binary-fields.ts';
import { putName } from './name-fields.ts';
import { parseNumber, readNumber } from './number-fields.ts';
import type { RdataField } from './rdata-field.ts';
import type { WireWriter } from './wire-writer.ts';
import type { Words } from './words.ts';

/** The length of the tag, the algorithm and the length of the key. */
const headBytes = 4;

export const hostIdentity: RdataField = {
  extent: (bytes, at, end) => {
    if (at + headBytes > end) return undefined;
    let offset = keyEnd(bytes, at);
    if (bytes[at] === 0 || offset === keyStart(bytes, at)) return undefined;
    while (offset < end) {
      const length = nameLength(bytes, offset);
      if (length === undefined) return undefined;
      offset += length;
    }
    return offset === end ? end : undefined;
  },
  text: (bytes, at, end) => {
    const key = keyStart(bytes, at);
    const parts = [String(bytes[at + 1]), hexText(bytes, at + headBytes, key)];
    let offset = keyEnd(bytes, at);
    parts.push(base64Text(bytes, key, offset));
    while (offset < end) {
      parts.push(nameText(bytes, offset));
      offset += nameLength(bytes, offset) ?? end;
    }
    return parts.join(' ');
  },
  canonical: (bytes, { at, end }, out) => {
    let offset = keyEnd(bytes, at);
    out.putAll(bytes.subarray(at, offset));
    while (offset < end) {
      const written = out.isFull ? undefined : expandName(bytes, offset, out.bytes, out.length);
      if (written === undefined) return false;
      offset += nameLength(bytes, offset) ?? end;
      out.length = written;
    }
    return true;
  },
  parse: (words, out) => {
    const algorithm = parseNumber(words.nextShort() ?? '', 1);
    if (algorithm === undefined) return false;
    const at = out.length;
    out.putAll(new Uint8Array(headBytes));
    const tagBytes = putWord(words, out, putHex);
    const keyBytes = putWord(words, out, putBase64);
    if (tagBytes < 1 || tagBytes > 0xff || keyBytes < 1 || keyBytes > 0xff_ff) return false;
    out.bytes.set([tagBytes, algorithm, keyBytes >>> 8, keyBytes & 0xff], at);
    while (!words.areOver) if (!words.next() || !putName(words, out)) return false;
    return true;
  },
};

function keyStart(bytes: Uint8Array, at: number): number {
  return at + headBytes + (bytes[at] as number);
}

function keyEnd(bytes: Uint8Array, at: number): number {
  return keyStart(bytes, at) + readNumber(bytes, at + 2, 2);
}

/** How many bytes the next word stands for; none where there is no valid word. */
function putWord(words: Words, out: WireWriter, put: (word: Uint8Array, out: WireWriter) => boolean): number {
  const from = out.length;
  const isValid = words.next() && put(words.source.subarray(words.start, words.end), out);
  return isValid ? out.length - from : 0;
}
