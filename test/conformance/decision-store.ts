/** What every store of decisions must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecisionTarget } from '../../src/model/detect/watchlist.ts';
import { addDomains, type WatchlistFixture } from '../harness/fixtures/watchlist-fixture.ts';
import {
  describeDetectStore,
  type NewFixture,
  type OpenDetectStores,
} from './detect/describe-detect-store.ts';

const ann = { username: 'ann', atMs: 3000 };
const bob = { username: 'bob', atMs: 4000 };
const later = { username: 'ann', atMs: 3_600_000 };

export function decisionStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a store of decisions`, open, (newFixture) => {
    deciding(newFixture);
    undoing(newFixture);
    submitting(newFixture);
    logging(newFixture);
  });
}

function decide(
  fixture: WatchlistFixture,
  ids: readonly string[],
  target: DecisionTarget,
  by = ann,
  more: { readonly note?: string; readonly expected?: Readonly<Record<string, string>> } = {},
) {
  return fixture.decisions.decideDomains(fixture.accountId, ids, { target, pieceDomains: 2, ...more }, by);
}

async function decided(fixture: WatchlistFixture, ids: readonly string[], target: DecisionTarget, by = ann) {
  const { decisionId } = await decide(fixture, ids, target, by);
  assert.ok(decisionId);
  return decisionId;
}

function undo(fixture: WatchlistFixture, id: string, by = later, skipConflicts = false) {
  return fixture.decisions.undoDecision(fixture.accountId, id, { skipConflicts, pieceDomains: 2 }, by);
}

const blockedNames = async ({ escalations, accountId }: WatchlistFixture) =>
  (await escalations.listBlockedDomains(accountId, '', 99)).map(({ domain }) => domain);

function deciding(newFixture: NewFixture): void {
  test('a decision changes what it can, and names the rest with the reason', async () => {
    const fixture = newFixture();
    const [a = '', b = '', c = ''] = await addDomains(fixture, 'a.example', 'b.example', 'c.example');
    await decide(fixture, [b], 'watched', bob);
    await decide(fixture, [c], 'ignored', bob);
    const expected = { [a]: 'new', [c]: 'new' };
    const { changed, refused } = await decide(fixture, [a, b, c, 'nobody'], 'watched', ann, { expected });
    assert.deepEqual(changed, [{ id: a, domain: 'a.example', from: 'new', to: 'watched' }]);
    assert.deepEqual(refused, [
      { id: b, why: 'already', state: 'watched', assigned: bob },
      { id: c, why: 'state', state: 'ignored', assigned: bob },
      { id: 'nobody', why: 'unknown' },
    ]);
  });

  test('a decision that changes nothing is not logged', async () => {
    const fixture = newFixture();
    const [a = ''] = await addDomains(fixture, 'a.example');
    await decide(fixture, [a], 'watched');
    assert.equal((await decide(fixture, [a], 'watched', bob)).decisionId, undefined);
    assert.equal((await fixture.decisions.listDecisions(fixture.accountId, { limit: 9 })).length, 1);
  });

  test('all domains that match a filter are decided if there are as many as confirmed', async () => {
    const fixture = newFixture();
    const names = ['a.com', 'b.com', 'c.com', 'd.net'];
    await addDomains(fixture, ...names);
    const filter = { list: 'new', tlds: ['com'] } as const;
    const matching = (count: number) =>
      fixture.decisions.decideMatching(
        fixture.accountId,
        filter,
        { target: 'blocked', pieceDomains: 2, count },
        ann,
      );
    assert.deepEqual(await matching(4), { matching: 3 });
    assert.deepEqual(await blockedNames(fixture), []);
    const outcome = await matching(3);
    assert.ok(typeof outcome === 'object' && 'changed' in outcome);
    assert.deepEqual(await blockedNames(fixture), ['a.com', 'b.com', 'c.com']);
    const [logged] = await fixture.decisions.listDecisions(fixture.accountId, { limit: 9 });
    assert.deepEqual([logged?.id, logged?.domains], [outcome.decisionId, 3]);
  });

  test('a filter with an unknown monitor decides nothing', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example');
    const filter = { list: 'new', monitorIds: ['nothing'] } as const;
    const decision = { target: 'ignored', pieceDomains: 2, count: 0 } as const;
    const outcome = await fixture.decisions.decideMatching(fixture.accountId, filter, decision, ann);
    assert.equal(outcome, 'unknown-monitor');
  });
}

function undoing(newFixture: NewFixture): void {
  test('undoing puts back the state and the assignment before, an hour later too', async () => {
    const fixture = newFixture();
    const [a = '', b = '', c = ''] = await addDomains(fixture, 'a.example', 'b.example', 'c.example');
    await decide(fixture, [b], 'watched', bob);
    const before = await Promise.all(['a', 'b', 'c'].map((name) => fixture.find(`${name}.example`)));
    const id = await decided(fixture, [a, b, c], 'ignored');
    const outcome = await undo(fixture, id);
    assert.deepEqual(
      outcome.outcome === 'undone' && outcome.changed.map(({ domain, from, to }) => [domain, from, to]),
      [
        ['a.example', 'ignored', 'new'],
        ['b.example', 'ignored', 'watched'],
        ['c.example', 'ignored', 'new'],
      ],
    );
    const after = await Promise.all(['a', 'b', 'c'].map((name) => fixture.find(`${name}.example`)));
    assert.deepEqual(after, before);
  });

  test('undoing a block takes the domain off the blocklist and raises its version', async () => {
    const fixture = newFixture();
    const { escalations, accountId } = fixture;
    const ids = await addDomains(fixture, 'a.example', 'b.example', 'c.example');
    const before = await fixture.find('a.example');
    const id = await decided(fixture, ids, 'blocked');
    const version = await escalations.blocklistVersion(accountId);
    await undo(fixture, id);
    assert.deepEqual(await blockedNames(fixture), []);
    assert.ok((await escalations.blocklistVersion(accountId)) > version);
    assert.deepEqual(
      [await fixture.find('a.example'), await escalations.listEscalations(accountId, { limit: 9 })],
      [before, []],
    );
  });

  test('a domain that is new again is not discovered a second time', async () => {
    const fixture = newFixture();
    const [a = ''] = await addDomains(fixture, 'a.example');
    await undo(fixture, await decided(fixture, [a], 'watched'));
    assert.deepEqual(await fixture.listEvents(), ['discovered a.example']);
  });

  test('an undone escalation marks its event, and its withdrawal names it', async () => {
    const fixture = newFixture();
    const { events, accountId } = fixture;
    const [a = ''] = await addDomains(fixture, 'a.example');
    await undo(fixture, await decided(fixture, [a], 'blocked'));
    const kinds = ['escalated', 'withdrawn'] as const;
    const [escalated, withdrawn] = await events.listEvents(accountId, { afterId: 0, limit: 9, kinds });
    assert.deepEqual(
      [escalated?.isWithdrawn, withdrawn?.kind, withdrawn?.detail],
      [true, 'withdrawn', { type: 'blocked' }],
    );
    assert.equal(withdrawn?.withdraws, escalated?.id);
  });

  test('decisions made since by a colleague are conflicts, and nothing is undone', async () => {
    const fixture = newFixture();
    const [a = '', b = ''] = await addDomains(fixture, 'a.example', 'b.example');
    const id = await decided(fixture, [a, b], 'watched');
    await decide(fixture, [b], 'ignored', bob);
    assert.deepEqual(await undo(fixture, id), {
      outcome: 'conflict',
      conflicts: [{ id: b, domain: 'b.example', by: 'bob', atMs: 4000, state: 'ignored' }],
    });
    assert.equal((await fixture.find('a.example')).state, 'watched');
  });

  test('conflicts can be skipped, and the rest is undone', async () => {
    const fixture = newFixture();
    const [a = '', b = ''] = await addDomains(fixture, 'a.example', 'b.example');
    const id = await decided(fixture, [a, b], 'watched');
    await decide(fixture, [b], 'blocked', bob);
    const outcome = await undo(fixture, id, later, true);
    assert.ok(outcome.outcome === 'undone');
    assert.deepEqual(
      [outcome.changed.map((change) => change.id), outcome.kept],
      [[a], [{ id: b, why: 'decided' }]],
    );
    assert.deepEqual(await blockedNames(fixture), ['b.example']);
  });

  test('once the later decision is undone, the earlier one can be', async () => {
    const fixture = newFixture();
    const [a = ''] = await addDomains(fixture, 'a.example');
    const first = await decided(fixture, [a], 'watched');
    const second = await decided(fixture, [a], 'ignored', bob);
    await undo(fixture, second);
    assert.equal((await undo(fixture, first)).outcome, 'undone');
    assert.equal((await fixture.find('a.example')).state, 'new');
  });

  test('undoing twice changes nothing more', async () => {
    const fixture = newFixture();
    const [a = ''] = await addDomains(fixture, 'a.example');
    const id = await decided(fixture, [a], 'blocked');
    await undo(fixture, id);
    const version = await fixture.escalations.blocklistVersion(fixture.accountId);
    assert.deepEqual(await undo(fixture, id), { outcome: 'undone', changed: [], kept: [] });
    assert.equal(await fixture.escalations.blocklistVersion(fixture.accountId), version);
  });

  test('a decision about own domains is forgotten, and undoing it leaves them alone', async () => {
    const fixture = newFixture();
    const [a = '', b = ''] = await addDomains(fixture, 'a.example', 'b.example');
    const id = await decided(fixture, [a, b], 'blocked');
    await fixture.monitors.changeOwnDomains(fixture.accountId, { add: ['a.example'], remove: [] });
    const outcome = await undo(fixture, id);
    assert.deepEqual(outcome.outcome === 'undone' && outcome.changed.map(({ domain }) => domain), [
      'b.example',
    ]);
  });

  test('decisions of another account are unknown', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const id = await decided(fixture, await addDomains(fixture, 'a.example'), 'watched');
    assert.deepEqual(await undo(other, id), { outcome: 'unknown' });
    assert.equal(await other.decisions.findDecision(other.accountId, id), undefined);
  });
}

function submitting(newFixture: NewFixture): void {
  const submit = async (
    fixture: WatchlistFixture,
    id: string,
    status: 'submitted' | 'failed' | undefined,
  ) => {
    const { escalations } = fixture;
    const leased = await escalations.leaseSubmissions(999, 5000, 6000);
    const own = leased.find(({ accountId, domainId }) => accountId === fixture.accountId && domainId === id);
    assert.ok(own);
    if (status) await escalations.recordSubmissionOutcome(own.id, { status, atMs: 5000 });
  };

  for (const [status, why] of [
    ['submitted', 'submitted'],
    [undefined, 'submitting'],
  ] as const) {
    test(`a submission that is ${status ?? 'under way'} is not undone, and is named`, async () => {
      const fixture = newFixture();
      const [a = '', b = ''] = await addDomains(fixture, 'a.example', 'b.example');
      const id = await decided(fixture, [a], 'external_safe');
      await submit(fixture, a, status);
      await decided(fixture, [b], 'watched');
      assert.deepEqual(await undo(fixture, id), { outcome: 'undone', changed: [], kept: [{ id: a, why }] });
      const { state, escalations } = await fixture.find('a.example');
      assert.deepEqual([state, escalations.length], ['watched', 1]);
      assert.equal(
        (await fixture.decisions.findDecision(fixture.accountId, id))?.canUndo,
        status === undefined,
      );
    });
  }

  test('a submission that waits or that was refused for good is withdrawn', async () => {
    const fixture = newFixture();
    const [a = '', b = ''] = await addDomains(fixture, 'a.example', 'b.example');
    const refused = await decided(fixture, [a], 'external_safe');
    await submit(fixture, a, 'failed');
    const waiting = await decided(fixture, [b], 'external_safe');
    await undo(fixture, refused);
    await undo(fixture, waiting);
    assert.deepEqual(await fixture.escalations.listEscalations(fixture.accountId, { limit: 9 }), []);
    assert.deepEqual((await fixture.names('new')).toSorted(), ['a.example', 'b.example']);
  });
}

function logging(newFixture: NewFixture): void {
  test('decisions over the API are in the log with those of people, newest first', async () => {
    const fixture = newFixture();
    const [a = ''] = await addDomains(fixture, 'a.example', 'b.example');
    await fixture.triage('a.example', 'watched', ann);
    await fixture.escalate('b.example', 'blocked', bob);
    await decide(fixture, [a], 'ignored', later);
    const logged = await fixture.decisions.listDecisions(fixture.accountId, { limit: 9 });
    assert.deepEqual(
      logged.map(({ by, atMs, target, firstNames, domains, canUndo }) => [
        by,
        atMs,
        target,
        firstNames,
        domains,
        canUndo,
      ]),
      [
        ['ann', 3_600_000, 'ignored', ['a.example'], 1, true],
        ['bob', 4000, 'blocked', ['b.example'], 1, true],
        ['ann', 3000, 'watched', ['a.example'], 1, true],
      ],
    );
  });

  test('the log is paged, and filtered by person', async () => {
    const fixture = newFixture();
    const ids = await addDomains(fixture, 'a.example', 'b.example', 'c.example');
    for (const [index, id] of ids.entries()) await decide(fixture, [id], 'watched', index === 1 ? bob : ann);
    const list = async (page: { beforeId?: string; by?: string; limit: number }) =>
      (await fixture.decisions.listDecisions(fixture.accountId, page)).map(({ id, firstNames }) => ({
        id,
        name: firstNames[0],
      }));
    const [first] = await list({ limit: 1 });
    const rest = await list({ beforeId: first?.id ?? '', limit: 9 });
    const own = await list({ by: 'ann', limit: 9 });
    assert.deepEqual(
      [first?.name, rest.map(({ name }) => name), own.map(({ name }) => name)],
      ['c.example', ['b.example', 'a.example'], ['c.example', 'a.example']],
    );
  });

  test('a domain knows its decisions, and who undid them', async () => {
    const fixture = newFixture();
    const [a = ''] = await addDomains(fixture, 'a.example');
    await decide(fixture, [a], 'watched');
    const id = await decided(fixture, [a], 'blocked', bob);
    await undo(fixture, id);
    const known = await fixture.decisions.listDecisionsOf(fixture.accountId, a, 9);
    assert.deepEqual(
      known.map(({ by, from, target, undone }) => [by, from, target, undone?.username]),
      [
        ['bob', 'watched', 'blocked', 'ann'],
        ['ann', 'new', 'watched', undefined],
      ],
    );
  });

  test('decisions and their undoing are events with the domains they changed', async () => {
    const fixture = newFixture();
    const [a = '', b = '', c = ''] = await addDomains(fixture, 'a.example', 'b.example', 'c.example');
    const id = await decided(fixture, [a, b, c], 'ignored');
    await undo(fixture, id);
    const all = await fixture.events.listAllEvents(fixture.accountId, { afterId: 0, limit: 99 });
    assert.deepEqual(
      all.flatMap((event) =>
        'decisionId' in event ? [[event.kind, event.by, event.target, event.domainIds]] : [],
      ),
      [
        ['decided', 'ann', 'ignored', [a, b]],
        ['decided', 'ann', 'ignored', [c]],
        ['undone', 'ann', 'ignored', [a, b]],
        ['undone', 'ann', 'ignored', [c]],
      ],
    );
  });
}
