import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaves } from '../../src/model/triage/triage-lists.ts';
import type { Domain } from '../../web/src/data/detect.ts';
import type { Moves } from '../../web/src/data/moves.ts';
import { listLines, listRows } from '../../web/src/pages/triage/list-lines.ts';

const domain = (id: string) => ({ id, picture: { state: 'none' } }) as unknown as Domain;
const domains = (ids: string) => Array.from(ids, domain);
const ids = (rows: readonly Domain[]) => rows.map(({ id }) => id).join('');
const grouping = (groups: string, others = '') => ({
  groups: groups.split(' ').map((members) => ({ ids: new Set(members), shared: null })),
  others: domains(others),
});
const shown = (lines: ReturnType<typeof listLines>) =>
  lines.map((line) => {
    if (line.kind === 'domain') return line.index;
    return line.of ? `group ${line.count}` : `rest ${line.count}`;
  });
const noMoves: Moves = new Map();

test('rows keep their order, and a page that repeats a domain shows it once', () => {
  assert.equal(ids(listRows(domains('abcab'), 'new', noMoves, undefined)), 'abc');
});

test('what was decided has left the list, and a colleague’s decision is shown for a moment first', () => {
  const moves: Moves = new Map([
    ['b', { to: 'watched', fading: false }],
    ['c', { to: 'ignored', fading: true }],
  ]);
  assert.equal(ids(listRows(domains('abcd'), 'new', moves, undefined)), 'acd');
});

test('a cluster comes first, with members that were not loaded, below a heading', () => {
  const rows = listRows(domains('abcd'), 'new', noMoves, grouping('bdx', 'x'));
  assert.equal(ids(rows), 'bdxac');
  assert.deepEqual(shown(listLines(rows, grouping('bdx'))), ['group 3', 0, 1, 2, 'rest 2', 3, 4]);
});

test('of several clusters each has its heading, and one whose members have all left has none', () => {
  const given = grouping('de zy bx', 'x');
  const rows = listRows(domains('abcde'), 'new', noMoves, given);
  assert.equal(ids(rows), 'debxac');
  assert.deepEqual(shown(listLines(rows, given)), ['group 2', 0, 1, 'group 2', 2, 3, 'rest 2', 4, 5]);
});

test('without a cluster there are no headings, also when all of its members have left', () => {
  assert.equal(listLines(domains('ab'), undefined).length, 2);
  assert.equal(listLines(domains('ab'), grouping('xy')).length, 2);
});

test('every decision empties the list of new domains, and a watched one stays when it is blocked', () => {
  assert.deepEqual(
    (['watched', 'ignored', 'blocked', 'external_safe'] as const).map((to) => leaves('new', to)),
    [true, true, true, true],
  );
  assert.equal(leaves('watched', 'blocked'), false);
  assert.equal(leaves('watched', 'ignored'), true);
});
