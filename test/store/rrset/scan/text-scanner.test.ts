import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rdataText } from '../../../../src/model/dns/rdata-text.ts';
import { compileFlexPattern } from '../../../../src/model/flex/flex-pattern.ts';
import { TextScanner } from '../../../../src/store/rrset/scan/text-scanner.ts';
import type { TextRow, TextScan } from '../../../../src/store/rrset-store.ts';
import { hostilePatterns, hostileTexts } from '../../../harness/fixtures/hostile-texts.ts';
import { storedSegments } from '../../../harness/fixtures/open-segments.ts';

const noTime = Number.NEGATIVE_INFINITY;
const records = hostileTexts(9);
const texts = records.map(({ type, rdata }) => rdataText(type, rdata[0] as Uint8Array).slice(0, 4096));

const searches: readonly Pick<TextScan, 'pattern' | 'exclude'>[] = [
  ...hostilePatterns.map((pattern) => ({ pattern })),
  { pattern: { kind: 'regex', text: 'a[ab]{200}' } },
  { pattern: { kind: 'regex', text: 'a[ab]{200}' }, exclude: { kind: 'regex', text: 'a[ab]{200}c' } },
  { pattern: { kind: 'regex', text: 'a[ab]{200}' }, exclude: { kind: 'regex', text: 'aaab{3}a' } },
];

for (const { pattern, exclude } of searches) {
  const title = exclude ? `${pattern.text} without ${exclude.text}` : pattern.text;
  test(`a search for ${title} that never has time left finds what it would in one go`, async (t) => {
    const { segments } = await storedSegments(t, [records.slice(0, 6), records.slice(6)]);
    const wanted = compileFlexPattern(pattern.kind, pattern.text).matches;
    const unwanted = exclude && compileFlexPattern(exclude.kind, exclude.text).matches;
    const expected = texts.filter((text) => wanted(text) && !unwanted?.(text));

    const scanner = new TextScanner({ over: 'rdata', pattern, exclude, filter: { fences: {} } }, { left: 0 });
    const rows: TextRow[] = [];
    let slices = 0;
    do {
      // As when its buffers are needed by others after every slice.
      if (slices > 0) scanner.release();
      scanner.rebind(segments.current());
      slices += 1;
    } while (!scanner.gather(rows, 1000, noTime));
    assert.deepEqual(rows.map(({ text }) => text.slice(0, 4096)).sort(), expected.sort());
    if (pattern.text.endsWith('}c')) assert.ok(slices > records.length, 'no record was interrupted');
  });
}
