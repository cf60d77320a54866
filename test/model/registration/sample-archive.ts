/** The files of a tar.gz of samples, by their path. Reads no more of the format than regular files with names and long names. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export function readSamples(path: string): ReadonlyMap<string, Buffer> {
  const archive = gunzipSync(readFileSync(path));
  const files = new Map<string, Buffer>();
  let longName: string | undefined;
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0; ) {
    const field = (from: number, length: number) =>
      archive.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(field(124, 12).trim(), 8) || 0;
    const body = archive.subarray(at + 512, at + 512 + size);
    const prefix = field(345, 155);
    const kind = field(156, 1);
    const name = longName ?? (prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`);
    longName = undefined;
    if (kind === 'L') longName = body.toString('utf8').replace(/\0.*$/s, '');
    else if (kind === '' || kind === '0') files.set(name.replace(/^\.\//, ''), body);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
