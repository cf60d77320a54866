/** Names of one kind, evaluated apart from the others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameScorer } from '../../../src/model/risk/name/name-scorer.ts';
import { evaluateSlices, type ListedName } from '../../../tools/risk-model/evaluate-slices.ts';
import { labelledNames, smallModel } from './labelled-names.ts';

const names = labelledNames(2000, 21);
const side = (isBad: boolean): readonly ListedName[] =>
  names
    .filter(({ label }) => (label === 'phishing') === isBad && (isBad || label === 'good'))
    .map(({ name }, at) => ({ name, isHost: at % 2 === 0, ...(isBad ? { year: '2025' } : {}) }));
const [bad, good] = [side(true), side(false)];
const slices = new Map(
  evaluateSlices(new NameScorer(smallModel()), 'phishing', { bad, good }).map((one) => [one.slice, one]),
);

test('every name is in one slice of each kind', () => {
  for (const kind of ['length', 'digits', 'hyphens', 'internationalized', 'listed as', 'listed with']) {
    const ofKind = [...slices.values()].filter(({ slice }) => slice.startsWith(kind));
    assert.equal(
      ofKind.reduce((sum, one) => sum + one.bad, 0),
      bad.length,
      kind,
    );
    assert.equal(
      ofKind.reduce((sum, one) => sum + one.good, 0),
      good.length,
      kind,
    );
  }
});

test('a slice has the shares that are flagged, and an AUC only where both sides have enough names', () => {
  const hosts = slices.get('listed as a host');
  assert.ok((hosts?.auc ?? 0) > 0.9 && (hosts?.badFrom70 ?? 0) > (hosts?.goodFrom70 ?? 1));
  const dated = slices.get('listed with a day of 2025');
  assert.deepEqual([dated?.bad, dated?.good, dated?.auc], [bad.length, 0, undefined]);
});
