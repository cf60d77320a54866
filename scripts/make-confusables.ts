/**
 * `node scripts/make-confusables.ts FILE`: writes `src/model/lookalike/tables/confusables.ts` from the file of confusables of
 * UTS 39 (https://www.unicode.org/Public/security/17.0.0/confusables.txt). Kept are letters and digits that look like ASCII
 * ones and are not brought to ASCII by compatibility decomposition, lower case or the removal of marks, because the matcher
 * does that first.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeLetters } from '../src/model/lookalike/tables/close-letters.ts';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node scripts/make-confusables.ts confusables.txt');
  process.exit(2);
}
const source = readFileSync(file, 'utf8');
const version = /^# Version: (\S+)/m.exec(source)?.[1] ?? 'unknown';

const characters = (codes: string) =>
  String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)));
const prototypes = new Map(
  [...source.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/gm)].map(([, from, to]) => [
    characters(from as string),
    characters(to as string),
  ]),
);
const close = new Map(
  Object.entries(closeLetters).flatMap(([ascii, alike]) =>
    Array.from(alike).map((one) => [one, ascii] as const),
  ),
);

const decomposed = (text: string) => text.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');

/** The skeleton of UTS 39, then only what is left of it without marks. */
function asciiOf(character: string): string {
  const skeleton = Array.from(character.normalize('NFD'))
    .map((one) => prototypes.get(one) ?? one)
    .join('');
  return Array.from(decomposed(skeleton))
    .map((one) => close.get(one) ?? one)
    .join('');
}

const byAscii = new Map<string, string[]>();
for (const character of prototypes.keys()) {
  if (!/^[\p{L}\p{N}]$/u.test(character) || decomposed(character) !== character) continue;
  if (/^[\0-\x7f]$/.test(character) || close.has(character)) continue;
  const ascii = asciiOf(character);
  if (/^[a-z0-9]+$/.test(ascii)) byAscii.set(ascii, [...(byAscii.get(ascii) ?? []), character]);
}

const rows = [...byAscii]
  .toSorted(([left], [right]) => (left < right ? -1 : 1))
  .map(([ascii, alike]) => `  '${ascii}': '${alike.toSorted().join('')}',`);
const text = `/**
 * Letters and digits of all scripts by the ASCII text that they look like. Made by \`scripts/make-confusables.ts\` from the
 * confusables of UTS 39, version ${version}: © 2025 Unicode®, Inc., under the terms of https://www.unicode.org/terms_of_use.html.
 */
export const confusables: Readonly<Record<string, string>> = {
${rows.join('\n')}
};
`;
writeFileSync(join(import.meta.dirname, '../src/model/lookalike/tables/confusables.ts'), text);
console.log(`${rows.length} texts, ${[...byAscii.values()].flat().length} characters`);
