/** How much more often phishing names resemble a brand than newly registered names. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type LookalikeMatch, matchClasses } from '../../../src/model/lookalike/match.ts';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';

const data = join(import.meta.dirname, '../../../../shared/data');
const lists = {
  phishing: ['risk/phishing.tsv.gz', 8],
  registered: ['risk/newly-registered-full-feed-2026-08.txt.gz', 1],
  popular: ['names/popular.tsv.gz', 16],
} as const;
const kinds = ['exact and folded', 'whole label, one edit or two'] as const;

/** Every nth name, one per line. */
function namesOf(file: string, each: number): string[] {
  return gunzipSync(readFileSync(join(data, file)))
    .toString('latin1')
    .split('\n')
    .filter((line, index) => line !== '' && index % each === 0)
    .map((line) => line.split('\t')[0] as string);
}

/** Names with a match per million, by class and by kind. */
function hitsPerMillion(matcher: Matcher, names: readonly string[]): Map<string, number> {
  const hits = new Map<string, number>();
  const count = (_: string, matches: readonly LookalikeMatch[]) => {
    const found = matches.flatMap((match) => [match.class, kinds[match.distance === 0 ? 0 : 1]]);
    for (const what of new Set(found)) hits.set(what, (hits.get(what) ?? 0) + 1e6 / names.length);
  };
  matcher.scanLines(Buffer.from(names.join('\n')), count);
  return hits;
}

function show(t: TestContext, hits: Record<keyof typeof lists, Map<string, number>>): void {
  t.diagnostic(`${'names with a match in a million'.padEnd(32)} phishing registered    popular      ratio`);
  for (const what of [...kinds, ...matchClasses]) {
    const figures = [hits.phishing, hits.registered, hits.popular].map((map) => map.get(what) ?? 0);
    const ratio = (figures[0] ?? 0) / (figures[1] ?? 0);
    const cells = [
      ...figures.map((figure) => figure.toFixed(0)),
      Number.isFinite(ratio) ? ratio.toFixed(1) : '-',
    ];
    t.diagnostic(what.padEnd(30) + cells.map((cell) => cell.padStart(11)).join(''));
  }
}

test('brands are found many times more often in phishing names than in new registrations', {
  skip: existsSync(data) ? false : 'skipped: no shared data',
}, (t) => {
  const terms = readFileSync(join(data, 'brands/phishing-targets.txt'), 'utf8').trim().split('\n');
  const matcher = new Matcher(terms.map((text) => ({ text, substringVariations: false })));
  const hitsIn = (list: keyof typeof lists) =>
    hitsPerMillion(matcher, namesOf(lists[list][0], lists[list][1]));
  const hits = { phishing: hitsIn('phishing'), registered: hitsIn('registered'), popular: hitsIn('popular') };
  show(t, hits);
  const ratio = (kind: string) => (hits.phishing.get(kind) ?? 0) / (hits.registered.get(kind) ?? 1);
  assert.ok(ratio(kinds[0]) >= 10, `exact and folded ${ratio(kinds[0])}`);
  assert.ok(ratio(kinds[1]) >= 3, `whole label ${ratio(kinds[1])}`);
});
