import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bothNames, plainText } from '../../../src/product/evidence/plain-text.ts';
import { valueText } from '../../../src/product/evidence/report/value-text.ts';

test('values of the timeline are said in a few words', () => {
  assert.equal(valueText(undefined), '–');
  assert.equal(valueText({ risk_score: 97, components: [] }), 'score 97');
  assert.equal(valueText([{ address: '192.0.2.1' }, { address: '192.0.2.2' }]), '192.0.2.1, 192.0.2.2');
  assert.equal(valueText(Array.from({ length: 9 }, (_, at) => at)), '0, 1, 2, 3, 4, 5 and 3 more');
});

test('invisible characters and those that change the direction of writing are removed', () => {
  assert.equal(plainText('Pay\u202Elap\u0007 \u200B<b>now</b>\r\n'), 'Pay lap <b>now</b>');
});

test('a long text is cut between characters', () => {
  assert.equal(plainText('\u{1F600}'.repeat(20), 5), `${'\u{1F600}'.repeat(4)}…`);
});

test('a name in other characters than ASCII is shown as it is seen and as it is registered', () => {
  assert.equal(bothNames('xn--pple-43d.example'), '\u0430pple.example (xn--pple-43d.example)');
  assert.equal(bothNames('apple.example'), 'apple.example');
});
