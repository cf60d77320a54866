/**
 * Conversion of names between Unicode and punycode (RFC 3492). Unlike the platform's functions these accept any name: a label
 * that is not valid punycode is left unchanged.
 */
import { domainToASCII } from 'node:url';

const [base, tMin, tMax, skew, damp, initialBias, initialCode] = [36, 1, 26, 38, 700, 72, 0x80];
const codeMax = 0x10ffff;
const prefix = 'xn--';

/** Lower case, NFKC-normalized, labels decoded, without the trailing dot. */
export function unicodeName(name: string): string {
  // Normalization does not change ASCII.
  const whole = isAscii(name) ? name.toLowerCase() : normalized(name);
  const trimmed = whole.endsWith('.') ? whole.slice(0, -1) : whole;
  if (!trimmed.includes(prefix)) return trimmed;
  return trimmed
    .split('.')
    .map((label) => (label.startsWith(prefix) ? (decodeLabel(label.slice(prefix.length)) ?? label) : label))
    .join('.');
}

function normalized(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[。．｡]/g, '.');
}

/** Undefined for a name that has no valid punycode form. */
export function punycodeName(name: string): string | undefined {
  return isAscii(name) ? name : domainToASCII(name) || undefined;
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= 0x80) return false;
  return true;
}

/** Undefined for invalid punycode, and for text that contains a label separator. */
function decodeLabel(encoded: string): string | undefined {
  const basicEnd = Math.max(0, encoded.lastIndexOf('-'));
  const output = Array.from(encoded.slice(0, basicEnd), (character) => character.charCodeAt(0));
  let [code, bias, index] = [initialCode, initialBias, 0];
  for (let at = basicEnd === 0 ? 0 : basicEnd + 1; at < encoded.length; ) {
    const before = index;
    for (let [weight, k] = [1, base]; ; k += base) {
      const digit = digitOf(encoded.charCodeAt(at++));
      if (digit < 0) return undefined;
      index += digit * weight;
      const threshold = Math.min(tMax, Math.max(tMin, k - bias));
      if (digit < threshold) break;
      weight *= base - threshold;
      if (index > codeMax * 1024 || weight > codeMax * 1024) return undefined;
    }
    const length = output.length + 1;
    bias = adapted(index - before, length, before === 0);
    code += Math.floor(index / length);
    if (code > codeMax || (code >= 0xd800 && code < 0xe000)) return undefined;
    index %= length;
    output.splice(index++, 0, code);
  }
  const label = String.fromCodePoint(...output).toLowerCase();
  return /[.。．｡\s\0]/.test(label) ? undefined : label;
}

function digitOf(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return byte - 0x61;
  return byte >= 0x30 && byte <= 0x39 ? byte - 0x30 + 26 : -1;
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((base - tMin) * tMax) >> 1; k += base) rest = Math.floor(rest / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}
