/** What every blocklist store must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { blockedSelection, type SelectionRules } from '../../../src/model/detect/blocklist/selection.ts';
import { addDomains, facts, WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { describeDetectStore, type NewFixture, type OpenDetectStores } from './describe-detect-store.ts';

const ann = { username: 'ann', atMs: 3000 };
const nowMs = 1_772_619_072_000;
const none: SelectionRules = { blocked: false, tags: [], monitorIds: [] };

export function blocklistStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a blocklist store`, open, (newFixture) => {
    selecting(newFixture);
    allowing(newFixture);
    versions(newFixture, open);
    randomChanges(newFixture);
  });
}

const keyOf = ({ accountId }: WatchlistFixture, selection = blockedSelection) => ({ accountId, selection });

/** As `name`, or `name passed` for an exception. */
async function namesOf(fixture: WatchlistFixture, selection = blockedSelection, atMs = nowMs) {
  await fixture.blocklists.refreshSelections(fixture.accountId, atMs);
  const key = keyOf(fixture, selection);
  const found = await fixture.blocklists.findSelection(key);
  assert.ok(found, selection);
  return namesAt(fixture, selection, found.serial);
}

async function namesAt(fixture: WatchlistFixture, selection: string, serial: number) {
  const page = { after: '', limit: 100 };
  const names = await fixture.blocklists.listNames(keyOf(fixture, selection), serial, page);
  return names?.map(({ name, kind }) => (kind === 'passed' ? `${name} passed` : name));
}

const put = (fixture: WatchlistFixture, selection: string, rules: Partial<SelectionRules>) =>
  fixture.blocklists.putSelection(keyOf(fixture, selection), { ...none, ...rules }, ann);

const allow = ({ blocklists, accountId }: WatchlistFixture, add: string[], remove: string[] = []) =>
  blocklists.changeAllowed(accountId, { add, remove }, ann);

async function score(fixture: WatchlistFixture, domain: string, riskScore: number | undefined) {
  await fixture.applyChanges([{ domain, facts: { ...facts, riskScore }, changed: undefined }]);
}

function selecting(newFixture: NewFixture): void {
  test('the periods of a name say since when it was blocked, and until when', async () => {
    const fixture = newFixture();
    const ids = await addDomains(fixture, 'a.example', 'b.example');
    const decision = { target: 'blocked', pieceDomains: 9 } as const;
    const { decisionId = '' } = await fixture.decisions.decideDomains(fixture.accountId, ids, decision, ann);
    await namesOf(fixture);
    const key = keyOf(fixture);
    const first = (await fixture.blocklists.findSelection(key))?.serial ?? 0;
    const options = { skipConflicts: false, pieceDomains: 9 };
    await fixture.decisions.undoDecision(fixture.accountId, decisionId, options, ann);
    await namesOf(fixture, blockedSelection, nowMs + 60_000);
    const second = (await fixture.blocklists.findSelection(key))?.serial ?? 0;
    await fixture.escalate('b.example', 'blocked');
    await namesOf(fixture, blockedSelection, nowMs + 120_000);
    const third = (await fixture.blocklists.findSelection(key))?.serial ?? 0;
    const list = async (serial: number, after = { name: '', added: 0 }, limit = 9) =>
      (await fixture.blocklists.listPeriods(key, serial, { after, limit }))?.map(
        ({ name, added, removed }) => [name, added, removed],
      );
    const removed = [
      ['a.example', first, second],
      ['b.example', first, second],
    ];
    assert.deepEqual(await list(first), [
      ['a.example', first, undefined],
      ['b.example', first, undefined],
    ]);
    assert.deepEqual(await list(second), removed);
    assert.deepEqual(await list(third), [...removed, ['b.example', third, undefined]]);
    assert.deepEqual(await list(third, { name: 'b.example', added: first }), [
      ['b.example', third, undefined],
    ]);
    assert.deepEqual(await list(third, { name: '', added: 0 }, 1), removed.slice(0, 1));
    assert.equal(await list(third + 1), undefined);
  });

  test('every account has the blocked domains as a selection, also an account that has none', async () => {
    const fixture = newFixture();
    assert.deepEqual(await namesOf(fixture), []);
    await addDomains(fixture, 'b.example', 'a.example', 'c.example');
    await fixture.escalate('b.example', 'blocked');
    await fixture.escalate('a.example', 'blocked');
    await fixture.escalate('c.example', 'external_safe');
    assert.deepEqual(await namesOf(fixture), ['a.example', 'b.example']);
    const [only, ...others] = await fixture.blocklists.listSelections(fixture.accountId);
    assert.deepEqual([only?.name, only?.blocked, only?.leftOut, others], ['blocked', 2, 0, []]);
    assert.deepEqual(await namesOf(newFixture()), []);
  });

  test('an undone block leaves the list', async () => {
    const fixture = newFixture();
    const ids = await addDomains(fixture, 'a.example');
    const decision = { target: 'blocked', pieceDomains: 9 } as const;
    const { decisionId = '' } = await fixture.decisions.decideDomains(fixture.accountId, ids, decision, ann);
    assert.deepEqual(await namesOf(fixture), ['a.example']);
    const options = { skipConflicts: false, pieceDomains: 9 };
    await fixture.decisions.undoDecision(fixture.accountId, decisionId, options, ann);
    assert.deepEqual(await namesOf(fixture), []);
  });

  test('new domains are selected by their score, until they are triaged or their score falls', async () => {
    const fixture = newFixture();
    await put(fixture, 'risky', { newScoreMin: 70 });
    await put(fixture, 'all-new', { newScoreMin: 0 });
    await addDomains(fixture, 'a.example', 'b.example', 'c.example');
    await score(fixture, 'a.example', 70);
    await score(fixture, 'b.example', 69);
    assert.deepEqual(await namesOf(fixture, 'risky'), ['a.example']);
    assert.deepEqual(await namesOf(fixture, 'all-new'), ['a.example', 'b.example', 'c.example']);
    await score(fixture, 'b.example', 90);
    assert.deepEqual(await namesOf(fixture, 'risky'), ['a.example', 'b.example']);
    await score(fixture, 'b.example', undefined);
    await fixture.triage('a.example', 'ignored');
    assert.deepEqual(await namesOf(fixture, 'risky'), []);
    assert.deepEqual(await namesOf(fixture, 'all-new'), ['b.example', 'c.example']);
  });

  test('monitors narrow a selection to the domains that they match', async () => {
    const fixture = newFixture();
    const [one, other] = [await fixture.monitor(), await fixture.monitor()];
    await fixture.discover('a.example', [one]);
    await fixture.discover('b.example', [other]);
    await fixture.discover('c.example', [one, other]);
    for (const name of ['a.example', 'b.example', 'c.example']) await fixture.escalate(name, 'blocked');
    await put(fixture, 'one', { blocked: true, monitorIds: [one.id] });
    assert.deepEqual(await namesOf(fixture, 'one'), ['a.example', 'c.example']);
    await fixture.monitors.deleteMonitor(fixture.accountId, one.id, {});
    assert.deepEqual(await namesOf(fixture, 'one'), []);
    assert.deepEqual(await namesOf(fixture), ['a.example', 'b.example', 'c.example']);
  });

  test('tagged domains are selected whether they are on the watchlist or not, unless they are ignored', async () => {
    const fixture = newFixture();
    const { blocklists, accountId } = fixture;
    await addDomains(fixture, 'a.example', 'b.example');
    await fixture.triage('b.example', 'ignored');
    await put(fixture, 'phish', { tags: ['Phish'] });
    const ours = (await blocklists.listSelectedTags()).filter((one) => one.accountId === accountId);
    assert.deepEqual(ours, [{ accountId, tag: 'Phish' }]);
    const round = await blocklists.nextTagRound(accountId, 'PHISH');
    const names = ['a.example', 'b.example', 'else.example'];
    await blocklists.putTagged(accountId, 'phish', { names, round });
    assert.deepEqual(await namesOf(fixture, 'phish'), ['a.example', 'else.example']);
    const next = await blocklists.nextTagRound(accountId, 'phish');
    await blocklists.putTagged(accountId, 'phish', { names: ['a.example', 'late.example'], round: next });
    await blocklists.removeUntagged(accountId, 'phish', next);
    assert.deepEqual(await namesOf(fixture, 'phish'), ['a.example', 'late.example']);
  });

  test('other rules change the list at once and as a whole', async () => {
    const fixture = newFixture();
    const names = Array.from({ length: 600 }, (_, at) => `n${String(at).padStart(3, '0')}.example`);
    const monitor = await fixture.monitor();
    await fixture.watchlist.addDiscoveries(names.map((name) => fixture.discovery(name, [monitor])));
    await put(fixture, 'list', { newScoreMin: 0 });
    await namesOf(fixture, 'list');
    const [, before] = await fixture.blocklists.listSelections(fixture.accountId);
    await put(fixture, 'list', { blocked: true });
    assert.deepEqual(await namesOf(fixture, 'list'), []);
    const [, after] = await fixture.blocklists.listSelections(fixture.accountId);
    assert.deepEqual(
      [before?.blocked, after?.blocked, (after?.serial ?? 0) - (before?.serial ?? 0)],
      [600, 0, 1],
    );
  });

  test('a deleted selection is gone, and one of the same name goes on from its serial', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example');
    await put(fixture, 'list', { newScoreMin: 0 });
    await namesOf(fixture, 'list');
    const key = keyOf(fixture, 'list');
    const before = (await fixture.blocklists.findSelection(key))?.serial ?? 0;
    assert.deepEqual(
      [await fixture.blocklists.deleteSelection(key), await fixture.blocklists.deleteSelection(key)],
      [true, false],
    );
    assert.equal(await fixture.blocklists.findSelection(key), undefined);
    assert.equal(await namesAt(fixture, 'list', before), undefined);
    await put(fixture, 'list', { newScoreMin: 0 });
    assert.deepEqual(await namesOf(fixture, 'list'), ['a.example']);
    assert.ok(((await fixture.blocklists.findSelection(key))?.serial ?? 0) >= before);
  });
}

function allowing(newFixture: NewFixture): void {
  test('an allowed name and those below it are on no list, and counted as left out', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'acme.example', 'login.acme.example', 'notacme.example');
    for (const name of ['acme.example', 'login.acme.example', 'notacme.example'])
      await fixture.escalate(name, 'blocked');
    assert.equal((await namesOf(fixture))?.length, 3);
    await allow(fixture, ['acme.example']);
    assert.deepEqual(await namesOf(fixture), ['notacme.example']);
    const [blocked] = await fixture.blocklists.listSelections(fixture.accountId);
    assert.deepEqual([blocked?.blocked, blocked?.leftOut], [1, 2]);
    assert.deepEqual(await fixture.blocklists.listAllowed(fixture.accountId), [
      { name: 'acme.example', by: 'ann', atMs: 3000 },
    ]);
    await allow(fixture, [], ['acme.example']);
    assert.deepEqual(await namesOf(fixture), ['acme.example', 'login.acme.example', 'notacme.example']);
  });

  test('an allowed name below a blocked one is an exception, as long as the other is blocked', async () => {
    const fixture = newFixture();
    const ids = await addDomains(fixture, 'acme.example');
    await allow(fixture, ['www.acme.example', 'a.b.acme.example', 'else.example']);
    assert.deepEqual(await namesOf(fixture), []);
    const decision = { target: 'blocked', pieceDomains: 9 } as const;
    const { decisionId = '' } = await fixture.decisions.decideDomains(fixture.accountId, ids, decision, ann);
    assert.deepEqual(await namesOf(fixture), [
      'a.b.acme.example passed',
      'acme.example',
      'www.acme.example passed',
    ]);
    const { serial = 0 } = (await fixture.blocklists.findSelection(keyOf(fixture))) ?? {};
    const names = await fixture.blocklists.listNames(keyOf(fixture), serial, { after: '', limit: 9 });
    assert.equal(names?.find(({ name }) => name === 'acme.example')?.isWwwAllowed, true);
    const options = { skipConflicts: false, pieceDomains: 9 };
    await fixture.decisions.undoDecision(fixture.accountId, decisionId, options, ann);
    assert.deepEqual(await namesOf(fixture), []);
  });

  test('the allow list of one account has no effect on another', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    await addDomains(fixture, 'a.example');
    await fixture.escalate('a.example', 'blocked');
    await allow(other, ['a.example']);
    assert.deepEqual(await namesOf(fixture), ['a.example']);
  });
}

function versions(newFixture: NewFixture, open: OpenDetectStores): void {
  test('the serial is the time of the change, and one more for another change in the same second', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example', 'b.example', 'c.example');
    const serials: number[] = [];
    for (const [name, atMs] of [
      ['a.example', nowMs],
      ['b.example', nowMs + 999],
      ['c.example', nowMs + 90_000],
    ] as const) {
      await fixture.escalate(name, 'blocked');
      await namesOf(fixture, blockedSelection, atMs);
      serials.push((await fixture.blocklists.findSelection(keyOf(fixture)))?.serial ?? 0);
    }
    const seconds = nowMs / 1000;
    assert.deepEqual(serials, [seconds, seconds + 1, seconds + 90]);
  });

  test('without a change there is no new version, whatever else is written', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example');
    await fixture.escalate('a.example', 'blocked');
    await namesOf(fixture);
    const before = await fixture.blocklists.findSelection(keyOf(fixture));
    await fixture.escalate('a.example', 'external_safe');
    await score(fixture, 'a.example', 50);
    await namesOf(fixture, blockedSelection, nowMs + 90_000);
    assert.deepEqual(await fixture.blocklists.findSelection(keyOf(fixture)), before);
  });

  test('renewed serials are higher than the time says, also if it is earlier than before', async (t) => {
    const [stores, other] = [open(t), open(t)].map((handle) => handle());
    assert.ok(stores && other);
    const { blocklists } = stores;
    const key = { accountId: 'acme', selection: blockedSelection };
    await blocklists.refreshSelections('acme', nowMs);
    const serials: number[] = [];
    for (const atMs of [nowMs + 60_000, nowMs - 60_000]) {
      await blocklists.renewSerials(atMs);
      serials.push((await blocklists.findSelection(key))?.serial ?? 0);
    }
    assert.deepEqual(serials, [nowMs / 1000 + 60, nowMs / 1000 + 61]);
    assert.deepEqual(await blocklists.listUnrefreshed(), []);
  });

  test('accounts with something to refresh are listed, those of other processes too', async (t) => {
    const handle = open(t);
    const [stores, other] = [handle(), handle()];
    await other.blocklists.refreshSelections('acme', nowMs);
    const before = await stores.blocklists.listUnrefreshed();
    const by = { username: 'ann', atMs: 1 };
    await other.blocklists.changeAllowed('acme', { add: ['a.example'], remove: [] }, by);
    assert.deepEqual([before, await stores.blocklists.listUnrefreshed()], [[], ['acme']]);
    await stores.blocklists.refreshSelections('acme', nowMs);
    assert.deepEqual(await other.blocklists.listUnrefreshed(), []);
  });

  test('a version is found by the low bits of its serial, also after they wrapped around', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example', 'b.example');
    const lastMs = (2 ** 32 - 1) * 1000;
    await fixture.escalate('a.example', 'blocked');
    await namesOf(fixture, blockedSelection, lastMs);
    await fixture.escalate('b.example', 'blocked');
    assert.deepEqual(await namesOf(fixture, blockedSelection, lastMs), ['a.example', 'b.example']);
    const find = (lowBits: number) => fixture.blocklists.findSerial(keyOf(fixture), lowBits);
    assert.deepEqual(
      [await find(2 ** 32 - 1), await find(0), await find(1)],
      [2 ** 32 - 1, 2 ** 32, undefined],
    );
  });

  test('a thousand versions are kept', async (t) => {
    const fixture = new WatchlistFixture(open(t)());
    await fixture.blocklists.refreshSelections(fixture.accountId, nowMs);
    const first = (await fixture.blocklists.findSelection(keyOf(fixture)))?.serial ?? 0;
    await fixture.blocklists.renewSerials(nowMs);
    const second = (await fixture.blocklists.findSelection(keyOf(fixture)))?.serial ?? 0;
    for (let at = 0; at < 999; at += 1) await fixture.blocklists.renewSerials(nowMs);
    assert.deepEqual(
      [await namesAt(fixture, blockedSelection, first), await namesAt(fixture, blockedSelection, second)],
      [undefined, []],
    );
  });
}

type Change =
  | { readonly kind: 'block' | 'undo' | 'allow' | 'disallow'; readonly at: number }
  | { readonly kind: 'refresh' };

const universe = ['a.test', 'b.a.test', 'c.b.a.test', 'ba.test', 'www.a.test', 'd.test'];
const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom('block' as const, 'undo' as const, 'allow' as const, 'disallow' as const),
      at: fc.nat(universe.length - 1),
    }),
    fc.constant({ kind: 'refresh' as const }),
  ),
  { maxLength: 30 },
);

/** What a list must have, from the definition. */
function expectedNames(blocked: ReadonlySet<string>, allowed: ReadonlySet<string>): readonly string[] {
  const isBelow = (name: string, above: string) => name.endsWith(`.${above}`);
  const isAllowed = (name: string) => [...allowed].some((one) => one === name || isBelow(name, one));
  const listed = [...blocked].filter((name) => !isAllowed(name));
  const passed = [...allowed].filter((name) => listed.some((above) => isBelow(name, above)));
  return [...listed, ...passed.map((name) => `${name} passed`)].sort();
}

function randomChanges(newFixture: NewFixture): void {
  test('after any changes every kept version is as it was, and differs from any other by the listed difference', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (sequence) => {
        const fixture = newFixture();
        const ids = await addDomains(fixture, ...universe);
        const [blocked, allowed] = [new Map<string, string>(), new Set<string>()];
        const known = new Map<number, readonly string[]>();
        for (const change of [...sequence, { kind: 'refresh' } as const]) {
          if (change.kind !== 'refresh') await apply(fixture, change, { ids, blocked, allowed });
          else {
            const names = (await namesOf(fixture)) ?? [];
            assert.deepEqual([...names].sort(), expectedNames(new Set(blocked.keys()), allowed));
            const { serial = 0 } = (await fixture.blocklists.findSelection(keyOf(fixture))) ?? {};
            known.set(serial, names);
          }
        }
        for (const [one, names] of known) {
          assert.deepEqual(await namesAt(fixture, blockedSelection, one), names);
          for (const [other, others] of known) {
            if (one === other) continue;
            const page = { after: '', limit: 100 };
            const versionsOf = { in: one, notIn: other };
            const difference = await fixture.blocklists.listDifference(keyOf(fixture), versionsOf, page);
            assert.deepEqual(
              difference?.map(({ name, kind }) => (kind === 'passed' ? `${name} passed` : name)),
              names.filter((name) => !others.includes(name)),
            );
          }
        }
      }),
      { numRuns: 30 },
    );
  });
}

async function apply(
  fixture: WatchlistFixture,
  { kind, at }: Exclude<Change, { kind: 'refresh' }>,
  state: {
    readonly ids: readonly string[];
    readonly blocked: Map<string, string>;
    readonly allowed: Set<string>;
  },
): Promise<void> {
  const [name = '', id = ''] = [universe[at], state.ids[at]];
  const { accountId, decisions } = fixture;
  if (kind === 'block') {
    const made = { target: 'blocked', pieceDomains: 9 } as const;
    const { decisionId } = await decisions.decideDomains(accountId, [id], made, ann);
    if (decisionId !== undefined) state.blocked.set(name, decisionId);
  } else if (kind === 'undo') {
    const decisionId = state.blocked.get(name);
    if (decisionId === undefined) return;
    await decisions.undoDecision(accountId, decisionId, { skipConflicts: false, pieceDomains: 9 }, ann);
    state.blocked.delete(name);
  } else if (kind === 'allow') {
    await allow(fixture, [name]);
    state.allowed.add(name);
  } else {
    await allow(fixture, [], [name]);
    state.allowed.delete(name);
  }
}
