/** How receivers read that somebody inside resolved a lookalike. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarizeEvent } from '../../../../src/model/detect/alert/event-summary.ts';
import { severityOf } from '../../../../src/model/detect/alert/syslog/severity.ts';
import { writeDigest } from '../../../../src/model/detect/digest.ts';
import { eventJson } from '../../../../src/model/detect/event-json.ts';
import type { DomainState, WatchlistEvent } from '../../../../src/model/detect/watchlist.ts';

const terms = new Map([['m1', 'acme']]);

function resolved(state: DomainState): WatchlistEvent {
  const detail = {
    state,
    sensor: 'zeek',
    count: 2,
    first: '2026-03-04T10:00:00Z',
    last: '2026-03-04T10:05:00Z',
  };
  const atMs = Date.parse('2026-03-04T10:11:12Z');
  return {
    id: 7,
    kind: 'resolved',
    atMs,
    domainId: 'd1',
    domain: 'acm3.example',
    monitorIds: ['m1'],
    detail,
  };
}

test('a message says that the lookalike was ignored, if it was', () => {
  assert.equal(
    summarizeEvent(resolved('ignored'), { terms }).title,
    'Somebody inside resolved a lookalike that you ignored',
  );
  assert.equal(summarizeEvent(resolved('new'), { terms }).title, 'Somebody inside resolved a lookalike');
});

test('a webhook gets state, sensor, count and times', () => {
  const { state, sensor, count, first_seen, last_seen } = eventJson(resolved('ignored')) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    [state, sensor, count, first_seen, last_seen],
    ['ignored', 'zeek', 2, '2026-03-04T10:00:00Z', '2026-03-04T10:05:00Z'],
  );
});

test('a digest has a section of its own for them', () => {
  const { subject, text } = writeDigest({
    events: [resolved('ignored')],
    counts: new Map([['resolved', 1]]),
    terms,
  });
  assert.equal(subject, 'Nameglass: 1 resolved inside your network');
  assert.match(
    text,
    /^Domains resolved inside your network\n {2}2026-03-04 10:11 {2}acm3\[\.\]example {2}acme, ignored, zeek, 2/,
  );
});

test('it is more serious than a discovery and less than an escalation', () => {
  assert.equal(severityOf(resolved('ignored')), 7);
});
