/** The pieces of DER that a certificate is made of. Only what the world's certificates need. */

export function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export const sequence = (...contents: readonly Buffer[]) => element(0x30, ...contents);
export const set = (...contents: readonly Buffer[]) => element(0x31, ...contents);
export const octets = (content: Buffer) => element(0x04, content);
export const bits = (content: Buffer, unusedBits = 0) => element(0x03, Buffer.from([unusedBits]), content);
export const utf8 = (text: string) => element(0x0c, Buffer.from(text, 'utf8'));
export const printable = (text: string) => element(0x13, Buffer.from(text, 'latin1'));
export const ia5 = (text: string) => element(0x16, Buffer.from(text, 'latin1'));
export const truth = element(0x01, Buffer.from([0xff]));
export const nothing = element(0x05);
/** `[n]` around something whole. */
export const tagged = (number: number, content: Buffer) => element(0xa0 | number, content);

/** From the bytes of a positive number. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = first === -1 ? Buffer.from([0]) : bytes.subarray(first);
  return element(0x02, (short[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), short]) : short);
}

export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(inSevenBits)]));
}

/** A short form up to 2049, a long one from 2050, as certificates must have it (RFC 5280). */
export function instant(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return digits < '2050' ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
}

function inSevenBits(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
    bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

function lengthOf(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes]);
  const length: number[] = [];
  for (let left = bytes; left > 0; left >>>= 8) length.unshift(left & 0xff);
  return Buffer.from([0x80 | length.length, ...length]);
}
