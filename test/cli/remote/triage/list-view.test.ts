/** The list of `nameglass triage` in clusters, and its facets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { displayWidth } from '../../../../src/cli/listing/display-width.ts';
import { groupingOf } from '../../../../src/cli/remote/triage/clusters.ts';
import { facetQuery, offeredFacets } from '../../../../src/cli/remote/triage/facets.ts';
import { drawLine } from '../../../../src/cli/remote/triage/styled-line.ts';
import type { TriageRow } from '../../../../src/cli/remote/triage/triage-api.ts';
import {
  decided,
  type FacetsMode,
  initialState,
  movedTo,
  type TriageState,
  visibleRows,
} from '../../../../src/cli/remote/triage/triage-state.ts';
import { triageLines } from '../../../../src/cli/remote/triage/triage-view.ts';
import { anyCharacter } from '../../../harness/arbitraries/any-character.ts';

const row = (id: string): TriageRow => ({
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
});

const stateOf = (ids: readonly string[], members: Partial<TriageState> = {}): TriageState => ({
  ...initialState('new', ''),
  rows: ids.map(row),
  total: ids.length,
  isLoading: false,
  ...members,
});

const screenOf = (state: TriageState, columns = 80, rows = 24) =>
  triageLines(state, { size: { columns, rows }, nowMs: Date.parse('2026-03-04T11:00:00Z') }).map((line) =>
    drawLine(line, columns, false),
  );

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control sequences of terminals.
const withoutStyles = (text: string) => text.replaceAll(/\x1b\[[0-9;]*m/g, '');
const bodyOf = (state: TriageState) =>
  screenOf(state)
    .slice(2, -2)
    .map(withoutStyles)
    .filter((line) => line.trim() !== '');

const grouping = groupingOf([
  { shared: { attribute: 'ip', value: '192.0.2.7' }, watchlist_domain_ids: ['d', 'b'] },
  { shared: { attribute: 'analytics', value: 'UA-1' }, watchlist_domain_ids: ['e', 'elsewhere'] },
]);

test('clusters come first, each below what its domains share, the others after them', () => {
  const state = stateOf(['a', 'b', 'c', 'd', 'e'], { isGrouped: true, grouping });
  assert.deepEqual(
    bodyOf(state).map((line) => /^(?:[> ]\[.\].*?(\w)\.example|(.*\S)) /.exec(line)?.slice(1).join('')),
    [
      '2 share the address 192.0.2.7',
      'b',
      'd',
      '1 share the analytics code UA-1',
      'e',
      'The other 2',
      'a',
      'c',
    ],
  );
});

test('a cluster that is decided about loses its heading, and without any there is none', () => {
  const state = stateOf(['a', 'b', 'd'], { isGrouped: true, grouping });
  const after = decided(state, ['b', 'd'], 'ignored');
  assert.deepEqual(
    visibleRows(after).map(({ id }) => id),
    ['a'],
  );
  assert.equal(bodyOf(after).length, 1);
});

test('the current domain is on the screen, however many headings stand above it', () => {
  const ids = Array.from({ length: 200 }, (_, index) => `n${index}`);
  const pairs = ids.slice(0, 60).map((id, at) => ({
    shared: { attribute: 'ip', value: `192.0.2.${at}` },
    watchlist_domain_ids: [id],
  }));
  for (const at of [0, 30, 59, 60, 199]) {
    const state = movedTo(stateOf(ids, { grouping: groupingOf(pairs) }), () => at);
    assert.ok(
      bodyOf(state).some((line) => line.startsWith('>') && line.includes(`n${at}.example`)),
      `${at}`,
    );
  }
});

test('facets fit every size, whatever their values are', () => {
  const size = fc.tuple(fc.integer({ min: 20, max: 160 }), fc.integer({ min: 6, max: 40 }));
  const hostile = fc.string({ unit: anyCharacter, maxLength: 80 });
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 50 }), fc.nat(50), size, (texts, at, [columns, rows]) => {
      const values = texts.map((text) => ({ value: text, label: text, domains: 1234, averageRisk: 50 }));
      const mode: FacetsMode = {
        kind: 'facets',
        offered: offeredFacets({}),
        by: 'registrar',
        values,
        more: true,
        at: Math.min(at, values.length),
      };
      const [registrar] = values;
      const state = stateOf(['a'], { mode, facets: registrar ? { registrar } : {} });
      const drawn = screenOf(state, columns, rows).map(withoutStyles);
      assert.equal(drawn.length, rows);
      for (const line of drawn) {
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        assert.ok(displayWidth(line) <= columns, line);
      }
      assert.equal(drawn.filter((line) => line.startsWith('> ')).length, 1);
    }),
    { numRuns: 40 },
  );
});

test('what the command line fixes is not offered, except for suffixes, which narrow further', () => {
  const offered = offeredFacets({ monitor_id: 'm', 'risk_score_ranges[]': ['70-99'], 'tlds[]': ['com'] });
  assert.deepEqual(
    [offered.includes('monitor'), offered.includes('risk'), offered.includes('tld')],
    [false, false, true],
  );
});

test('chosen values are the parameters of the request', () => {
  const value = (text: string) => ({ value: text, label: text });
  assert.deepEqual(facetQuery({ registrar: value('Example, Inc.'), mx: value('true') }), {
    mx_exists: 'true',
    'registrars[]': 'Example, Inc.',
  });
});
