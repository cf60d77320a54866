/** The headers of a tar archive: POSIX ustar, with a pax header before a file whose name or size does not fit. */
import { Problem } from '../../../model/problem.ts';

export const tarBlockBytes = 512;
const nameBytesMax = 100;
const octalMax = 0o77777777777;

export interface TarEntry {
  readonly path: string;
  readonly bytes: number;
}

export function tarHeaders({ path, bytes }: TarEntry, seconds: number): Buffer {
  const records: string[] = [];
  if (Buffer.byteLength(path) > nameBytesMax) records.push(paxRecord('path', path));
  if (bytes > octalMax) records.push(paxRecord('size', String(bytes)));
  const main = headerOf({ path, bytes: Math.min(bytes, octalMax) }, '0', seconds);
  if (records.length === 0) return main;
  const pax = Buffer.from(records.join(''));
  return Buffer.concat([
    headerOf({ path: 'pax', bytes: pax.length }, 'x', seconds),
    pax,
    Buffer.alloc(paddingOf(pax.length)),
    main,
  ]);
}

/** Up to the next block. */
export function paddingOf(bytes: number): number {
  return (tarBlockBytes - (bytes % tarBlockBytes)) % tarBlockBytes;
}

/** The end of an archive. */
export const tarEnd = Buffer.alloc(2 * tarBlockBytes);

function headerOf({ path, bytes }: TarEntry, type: string, seconds: number): Buffer {
  const header = Buffer.alloc(tarBlockBytes);
  header.write(Buffer.from(path).subarray(0, nameBytesMax).toString('latin1'), 0, 'latin1');
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${seconds.toString(8).padStart(11, '0')}\0`, 136);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** `LENGTH key=value\n`, where the length counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (Buffer.byteLength(`${length}${rest}`) !== length) length = Buffer.byteLength(`${length}${rest}`);
  return `${length}${rest}`;
}

/** Undefined for the end of the archive. */
export function parseHeader(header: Buffer): (TarEntry & { readonly type: string }) | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const stored = Number.parseInt(textOf(header, 148, 8), 8);
  const blanked = Buffer.from(header).fill(' ', 148, 156);
  if (stored !== sumOf(blanked)) throw notOurs('a header does not match its checksum');
  const type = textOf(header, 156, 1) || '0';
  return { path: textOf(header, 0, nameBytesMax), bytes: Number.parseInt(textOf(header, 124, 12), 8), type };
}

/** What a pax header says of the next entry. */
export function parsePax(text: string): Partial<TarEntry> {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key, value] = /^\d+ (\w+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined) values.set(key, value ?? '');
  }
  const [path, size] = [values.get('path'), values.get('size')];
  return { ...(path === undefined ? {} : { path }), ...(size === undefined ? {} : { bytes: Number(size) }) };
}

export function notOurs(problem: string): Problem {
  return new Problem('unavailable', `this is not a whole archive of "nameglass backup -": ${problem}`);
}

function textOf(header: Buffer, from: number, length: number): string {
  return (header.toString('utf8', from, from + length).split('\0')[0] ?? '').trim();
}

function sumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}
