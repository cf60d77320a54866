/** Names to match: real ones where the shared data is there, and made of words otherwise. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const shared = join(import.meta.dirname, '../../../shared/data/names');
const lf = 10;
const words = [
  'lotus',
  'harbor',
  'violet',
  'summit',
  'meadow',
  'copper',
  'falcon',
  'garnet',
  'timber',
  'willow',
];

/** Evenly spread over their list. */
export function newNames(count: number): string[] {
  const file = join(shared, 'newly-registered.tsv.gz');
  if (!existsSync(file)) return madeNames(count);
  const bytes = gunzipSync(readFileSync(file));
  const names: string[] = [];
  // Only as many as needed: garbage collection would visit the rest again and again while we measure.
  for (let index = 0; index < count; index += 1) {
    const at = bytes.indexOf(lf, Math.floor((bytes.length / count) * index)) + 1;
    const line = bytes.toString('latin1', at, Math.max(at, bytes.indexOf(lf, at)));
    if (line !== '') names.push(line.split('\t')[0] as string);
  }
  return names;
}

/** Sites that many people know. */
export function popularNames(): string[] {
  const file = join(shared, 'popular.tsv.gz');
  if (!existsSync(file)) return madeNames(20_000);
  const lines = gunzipSync(readFileSync(file)).toString('latin1').split('\n');
  return lines.filter(Boolean).map((line) => line.split('\t')[0] as string);
}

export function madeNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    // An odd factor: neighbours are strangers.
    const number = Math.imul(index, 2_654_435_761) >>> 0;
    return `${words[number % 10]}-${number.toString(36)}${words[(number >>> 8) % 10]}.com`;
  });
}

/** Labels of sites, evenly spread over their list. */
export function termsOf(popular: readonly string[], count: number): string[] {
  const labels = popular.map((name) => name.slice(0, name.indexOf('.')));
  const usable = [...new Set(labels.filter((label) => /^[a-z]{7,20}$/.test(label)))];
  const more = Array.from({ length: Math.max(0, count - usable.length) }, (_, at) => madeTerm(at));
  const all = [...usable, ...more];
  const step = Math.floor(all.length / count);
  return Array.from({ length: count }, (_, index) => all[index * step] as string);
}

/** Letters alone. */
function madeTerm(number: number): string {
  const letters = number
    .toString(26)
    .split('')
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  return `brandterm${letters.join('')}x`;
}
