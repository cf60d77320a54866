/** The screen of `nameglass triage`, and what keys do to its state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { displayWidth } from '../../../../src/cli/listing/display-width.ts';
import { KeyDecoder } from '../../../../src/cli/remote/triage/key-decoder.ts';
import { drawLine, span } from '../../../../src/cli/remote/triage/styled-line.ts';
import type { TriageRow } from '../../../../src/cli/remote/triage/triage-api.ts';
import {
  chosenRows,
  currentRow,
  decided,
  gathered,
  initialState,
  movedTo,
  rangeSelected,
  remaining,
  type TriageState,
  takenBack,
  toggled,
  visibleRows,
} from '../../../../src/cli/remote/triage/triage-state.ts';
import { triageLines } from '../../../../src/cli/remote/triage/triage-view.ts';
import { triageKeys } from '../../../../src/model/triage/triage-keys.ts';
import { anyCharacter } from '../../../harness/arbitraries/any-character.ts';

const row = (id: string, members: Partial<TriageRow> = {}): TriageRow => ({
  id,
  domain: `${id}.example`,
  state: 'new',
  status: 'active',
  discovered_date: '2026-03-04T10:00:00Z',
  changed_date: null,
  risk_score: 97,
  risk_score_status: 'full',
  mx_exists: true,
  escalations: [],
  monitor_ids: [],
  match: [],
  ...members,
});

const stateOf = (...rows: readonly TriageRow[]): TriageState => ({
  ...initialState('new', ''),
  rows,
  total: rows.length,
  isLoading: false,
});

const nowMs = Date.parse('2026-03-04T11:00:00Z');
const screenOf = (state: TriageState, columns = 80, rows = 24, withColour = false) =>
  triageLines(state, { size: { columns, rows }, nowMs }).map((line) => drawLine(line, columns, withColour));

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control sequences of terminals.
const withoutStyles = (text: string) => text.replaceAll(/\x1b\[[0-9;]*m/g, '');

test('the whole screen fits every size, whatever the names are', () => {
  const size = fc.tuple(fc.integer({ min: 20, max: 200 }), fc.integer({ min: 6, max: 60 }));
  const hostile = fc.string({ unit: anyCharacter, maxLength: 60 });
  fc.assert(
    fc.property(hostile, hostile, size, fc.boolean(), (name, said, [columns, rows], isCardOpen) => {
      const domain = row('a', { domain: name, assigned_by: said });
      const state = { ...stateOf(domain, row('b')), isCardOpen, message: { text: said, isError: true } };
      const drawn = screenOf(state, columns, rows, true).map(withoutStyles);
      assert.equal(drawn.length, rows);
      for (const line of drawn) {
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        assert.ok(displayWidth(line) <= columns, line);
      }
    }),
    { numRuns: 60 },
  );
});

test('exchanged characters are underlined, a gap has a caret, and punycode stands beside the name', () => {
  const match = { class: 'homoglyph', explanation: 'e', text: 'аcm', host: 'аcm.example' };
  const steps = [
    { at: 0, removed: 'a', inserted: 'а' },
    { at: 3, removed: 'e', inserted: '' },
  ];
  const state = stateOf(row('b'), row('a', { domain: 'аcm.example', match: [{ ...match, steps }] }));
  const line = screenOf(state, 80, 24, true)[3] ?? '';
  assert.ok(line.includes('\u001b[1;4;35mа\u001b[0mcm\u001b[1;33m‸\u001b[0m.example'), line);
  assert.match(line, /xn--cm-6kc\.example/);
});

test('without colour there are attributes alone', () => {
  assert.equal(drawLine([span('a', 'red', 'bold')], 3, false), '\u001b[1ma\u001b[0m  ');
});

test('the help has every key, those of the web UI alone as such, at 80 columns and 24 rows', () => {
  const screen = screenOf({ ...stateOf(row('a')), mode: { kind: 'help' } }).join('\n');
  const webAt = screen.indexOf('In the web UI alone:');
  assert.ok(webAt > 0);
  for (const key of Object.values(triageKeys)) {
    const isElsewhere = 'only' in key && key.only === 'web';
    const shown = isElsewhere ? screen.slice(webAt) : screen.slice(0, webAt);
    assert.ok(shown.includes(key.label), key.label);
  }
});

test('what is decided leaves, the next is current, and it comes back when it is refused', () => {
  const start = movedTo(stateOf(row('a'), row('b'), row('c')), () => 1);
  const after = decided(start, ['b'], 'ignored');
  assert.deepEqual([visibleRows(after).length, currentRow(after)?.id, remaining(after)], [2, 'c', 2]);
  const back = takenBack(after, ['b']);
  assert.deepEqual([visibleRows(back).length, currentRow(back)?.id], [3, 'b']);
});

test('a decision about a selection above the cursor keeps the current domain', () => {
  const selected = toggled(stateOf(row('a'), row('b'), row('c')));
  assert.equal(
    currentRow(
      decided(
        movedTo(selected, () => 2),
        ['a'],
        'watched',
      ),
    )?.id,
    'c',
  );
});

test('a range is selected from where the last selection was made', () => {
  const state = stateOf(row('a'), row('b'), row('c'), row('d'));
  const range = rangeSelected(movedTo(toggled(movedTo(state, () => 1)), () => 3));
  assert.deepEqual(
    chosenRows(range).map(({ id }) => id),
    ['b', 'c', 'd'],
  );
});

const presses: readonly (readonly [sent: string, keys: readonly string[]])[] = [
  ['jX\r', ['j', 'Shift+X', 'Enter']],
  ['\u001b[A\u001b[6~\u001bOB', ['ArrowUp', 'PageDown', 'ArrowDown']],
  ['\u001b[200~wib\u001b[201~j', ['Paste+w', 'Paste+i', 'Paste+b', 'j']],
  ['\u001b[1;5Dw', ['w']],
  ['\u0003\u007f', ['Mod+c', 'Backspace']],
];

for (const [sent, keys] of presses) {
  test(`${JSON.stringify(sent)} is ${keys.join(', ')}, in one chunk and in many`, () => {
    assert.deepEqual(new KeyDecoder().read(sent), keys);
    const decoder = new KeyDecoder();
    assert.deepEqual(
      Array.from(sent).flatMap((unit) => decoder.read(unit)),
      keys,
    );
  });
}

test('an Escape that nothing follows is the key', () => {
  const decoder = new KeyDecoder();
  assert.deepEqual([decoder.read('\u001b'), decoder.isPending, decoder.end()], [[], true, ['Escape']]);
});

test('a cluster is selected and gathered below its domain, and what is not in the list is left out', () => {
  const start = stateOf(row('a'), row('b'), row('c'), row('d'));
  const after = gathered(start, 'b', ['b', 'd', 'elsewhere']);
  assert.deepEqual(
    visibleRows(after).map(({ id }) => id),
    ['a', 'b', 'd', 'c'],
  );
  assert.deepEqual([...after.selected].toSorted(), ['b', 'd']);
  assert.equal(currentRow(after)?.id, 'b');
});
