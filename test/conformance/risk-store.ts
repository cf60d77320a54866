/** The conformance suite of risk stores. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { Link } from '../../src/model/risk/proximity/link.ts';
import { logStart } from '../../src/store/paging/log-position.ts';
import type { ListSnapshot, RiskStore } from '../../src/store/risk-store.ts';
import { address, linksAgree, type NewWorld, type RiskWorld, snapshotsAgree } from './risk-sequences.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenRiskStore = (t: TestContext) => () => RiskStore;

export function riskStoreConformance(name: string, open: OpenRiskStore): void {
  describe(`${name} as a risk store`, () => {
    const handle = open({ after } as TestContext);
    let stores: readonly [RiskStore, RiskStore] | undefined;
    let position = logStart;
    const newWorld = async (): Promise<RiskWorld> => {
      stores ??= [handle(), handle()];
      const [store, other] = stores;
      const readChanges = async () => {
        const changes = await other.listVerdictChanges(position, 100_000);
        position = changes.at(-1)?.position ?? position;
        return changes.map(({ domain }) => domain);
      };
      await store.removeListsExcept([]);
      position = (await store.listVerdictChanges(position, 100_000)).at(-1)?.position ?? position;
      await store.pruneVerdictChanges(position);
      return { store, other, readChanges };
    };
    adding(newWorld);
    removing(newWorld);
    changeLog(newWorld);
    badLinks(newWorld);
    checkpoints(newWorld, handle);
    test('any sequence of list snapshots agrees with a simple model', () => snapshotsAgree(newWorld));
    test('any sequence of bad links agrees with a simple model', () => linksAgree(newWorld));
  });
}

const first: ListSnapshot = { list: 'feed', label: 'phishing', weight: 0.8, id: 1, untilMs: undefined };
const listed = (...domains: readonly string[]) => domains.map((domain) => ({ domain }));
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ domain: `n${index}.example`, rank: index + 1 }));

function adding(newWorld: NewWorld): void {
  test('verdicts are found in the requested order, by every process', async () => {
    const { store, other } = await newWorld();
    await store.addListed(first, listed('a.example', 'b.example'));
    await other.addListed({ ...first, list: 'good', label: 'good', weight: 1 }, listed('b.example'));
    const phishing = { list: 'feed', label: 'phishing', weight: 0.8 };
    assert.deepEqual(await other.findVerdicts(['b.example', 'x.example', 'a.example'], 0), [
      [phishing, { list: 'good', label: 'good', weight: 1 }],
      [],
      [phishing],
    ]);
  });

  test('a domain has the best of its ranks in a snapshot, and the next snapshot replaces it', async () => {
    const { store } = await newWorld();
    const popular = { ...first, list: 'top', label: 'popular', weight: 1 } as const;
    const rank = async () => (await store.findVerdicts(['a.example'], 0))[0]?.[0]?.rank;
    const ranked = (...ranks: readonly number[]) => ranks.map((one) => ({ domain: 'a.example', rank: one }));
    await store.addListed(popular, ranked(9, 10));
    await store.addListed(popular, ranked(30));
    const before = await rank();
    await store.addListed({ ...popular, id: 2 }, ranked(120));
    assert.deepEqual([before, await rank()], [9, 120]);
  });

  test('a snapshot of tens of thousands of domains is added twice, and changes are logged once', async () => {
    const { store, other, readChanges } = await newWorld();
    const domains = numbered(60_000);
    await Promise.all([store.addListed(first, domains), other.addListed(first, domains)]);
    const logged = (await readChanges()).length;
    await store.addListed({ ...first, id: 2 }, domains);
    await store.completeSnapshot({ ...first, id: 2 }, undefined, 5);
    assert.deepEqual([logged, await readChanges()], [60_000, []]);
    assert.deepEqual(
      (await store.listLists()).map((list) => list.domains),
      [60_000],
    );
  });
}

function removing(newWorld: NewWorld): void {
  test('a domain stays on a list until a later snapshot is complete without it', async () => {
    const { store, other, readChanges } = await newWorld();
    await store.addListed(first, listed('a.example', 'b.example'));
    await store.completeSnapshot(first, 'one', 100);
    await readChanges();
    const second = { ...first, id: 2 };
    await store.addListed(second, listed('b.example'));
    const during = await store.findVerdicts(['a.example'], 0);
    const known = await other.listLists();
    await store.completeSnapshot(second, undefined, 200);
    assert.equal(during[0]?.length, 1);
    assert.deepEqual(known, [
      { list: 'feed', label: 'phishing', domains: 2, readMs: 100, checkpoint: 'one' },
    ]);
    assert.deepEqual(await other.findVerdicts(['a.example'], 0), [[]]);
    assert.deepEqual(await readChanges(), ['a.example']);
    assert.deepEqual(await other.listLists(), [
      { list: 'feed', label: 'phishing', domains: 1, readMs: 200, checkpoint: undefined },
    ]);
  });

  test('a verdict with an expiry outlives later snapshots, and is not found once it has expired', async () => {
    const { store, readChanges } = await newWorld();
    await store.addListed({ ...first, untilMs: 1000 }, listed('a.example', 'b.example'));
    await store.addListed({ ...first, id: 2, untilMs: 2000 }, listed('b.example'));
    await store.completeSnapshot({ ...first, id: 2, untilMs: 2000 }, undefined, 500);
    await readChanges();
    const found = async (nowMs: number) =>
      (await store.findVerdicts(['a.example', 'b.example'], nowMs)).map(({ length }) => length);
    assert.deepEqual(
      [await found(999), await found(1000), await found(2000)],
      [
        [1, 1],
        [0, 1],
        [0, 0],
      ],
    );
    assert.deepEqual([await store.removeExpired(999, 10), await store.removeExpired(1000, 10)], [0, 1]);
    assert.deepEqual(await readChanges(), ['a.example']);
  });

  test('expired verdicts are removed in batches of at most the limit, until none is left', async () => {
    const { store, other, readChanges } = await newWorld();
    await store.addListed({ ...first, untilMs: 1000 }, numbered(250));
    const removed = [];
    for (const which of [store, other, store, other]) removed.push(await which.removeExpired(1000, 100));
    assert.deepEqual(removed, [100, 100, 50, 0]);
    assert.equal(new Set(await readChanges()).size, 250);
    assert.equal((await store.statistics()).verdicts, 0);
  });

  test('lists that are no longer configured are removed, whatever the expiry of their verdicts', async () => {
    const { store, other, readChanges } = await newWorld();
    await store.addListed({ ...first, untilMs: 9e12 }, listed('a.example', 'b.example'));
    await store.addListed({ ...first, list: 'kept' }, listed('b.example'));
    await readChanges();
    await other.removeListsExcept(['kept', 'new']);
    assert.deepEqual(
      (await store.listLists()).map(({ list }) => list),
      ['kept'],
    );
    assert.deepEqual((await readChanges()).toSorted(), ['a.example', 'b.example']);
  });
}

function changeLog(newWorld: NewWorld): void {
  test('a change is logged once: a new domain, another label, another weight', async () => {
    const { store, readChanges } = await newWorld();
    await store.addListed(first, listed('a.example', 'b.example', 'a.example'));
    const logged = [await readChanges()];
    for (const later of [
      { ...first, id: 2 },
      { ...first, id: 3, label: 'malware' as const },
      { ...first, id: 4, label: 'malware' as const, weight: 1 },
      { ...first, id: 5, label: 'malware' as const, weight: 1, untilMs: 10 },
    ]) {
      await store.addListed(later, listed('a.example'));
      logged.push(await readChanges());
    }
    assert.deepEqual(logged, [['a.example', 'b.example'], [], ['a.example'], ['a.example'], []]);
  });

  test('changes of popular domains are not logged', async () => {
    const { store, readChanges } = await newWorld();
    const popular = { ...first, label: 'popular' } as const;
    await store.addListed(popular, numbered(3));
    await store.completeSnapshot({ ...popular, id: 2 }, undefined, 5);
    assert.deepEqual([await readChanges(), (await store.statistics()).verdicts], [[], 0]);
  });

  test('changes are read after a position, and pruned up to one', async () => {
    const { store, other } = await newWorld();
    await store.addListed(first, listed('a.example', 'b.example', 'c.example'));
    const all = await other.listVerdictChanges(logStart, 10);
    const [one, two] = all.map((change) => change.position) as [string, string];
    assert.deepEqual(await other.listVerdictChanges(one, 1), all.slice(1, 2));
    await store.pruneVerdictChanges(two);
    assert.deepEqual(await other.listVerdictChanges(logStart, 10), all.slice(2));
    const last = all.at(-1)?.position ?? logStart;
    await store.pruneVerdictChanges(last);
    await store.addListed(first, listed('d.example'));
    const later = (await other.listVerdictChanges(last, 10)).map(({ domain }) => domain);
    assert.deepEqual(later, ['d.example'], 'a position is never given twice');
  });
}

const oddCharacter = fc.constantFrom('a', ' ', '\0', '"', '\\', '\n', '\u0085', 'é', '\u{1f600}', '\uffff');

function badLinks(newWorld: NewWorld): void {
  test('the count and the greatest weight of the bad domains of a link leave out the excepted domain', async () => {
    const { store, other } = await newWorld();
    const link = address('192.0.2.1');
    await store.replaceBadLinks([
      { domain: 'a.example', weight: 1, links: [link, address('192.0.2.2')] },
      { domain: 'b.example', weight: 0.5, links: [link] },
    ]);
    const queries = ['a.example', 'b.example', 'c.example'].map((except) => ({ link, except }));
    const unknown = { link: { kind: 'network', attribute: 'ip', value: '192.0.2.1' } as const, except: '' };
    assert.deepEqual(await other.countBadDomains([...queries, unknown]), [
      { domains: 1, weight: 0.5 },
      { domains: 1, weight: 1 },
      { domains: 2, weight: 1 },
      { domains: 0, weight: 0 },
    ]);
    assert.deepEqual(await other.listBadDomains(link, 'c.example', 1), ['a.example']);
    assert.deepEqual(await other.listBadDomains(link, 'a.example', 9), ['b.example']);
    await store.replaceBadLinks(
      ['a.example', 'b.example'].map((domain) => ({ domain, weight: 0, links: [] })),
    );
  });

  test('any text can be the value of a link', async () => {
    const { store } = await newWorld();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: oddCharacter }), async (value) => {
        const links: Link[] = [
          { kind: 'registrant', attribute: 'registrant', value },
          { kind: 'naming-pattern', value },
        ];
        const bad = { domain: 'a.example', weight: 0.25, links };
        assert.deepEqual(await store.replaceBadLinks([bad]), links);
        assert.deepEqual(await store.findBadLinks(['b.example', 'a.example']), [
          { domain: 'b.example', weight: 0, links: [] },
          bad,
        ]);
        assert.deepEqual(
          await store.countBadDomains(links.map((link) => ({ link, except: '' }))),
          links.map(() => ({ domains: 1, weight: 0.25 })),
        );
        assert.deepEqual(await store.replaceBadLinks([{ ...bad, links: [] }]), links);
      }),
      { numRuns: 30 },
    );
  });
}

function checkpoints(newWorld: NewWorld, handle: () => RiskStore): void {
  test('checkpoints and verdicts survive a restart', async () => {
    const { store, other } = await newWorld();
    const found = [await store.findCheckpoint('one')];
    await store.setCheckpoint('one', '5');
    await store.setCheckpoint('two', '7');
    await store.setCheckpoint('one', '6');
    for (const consumer of ['one', 'two']) found.push(await other.findCheckpoint(consumer));
    await store.setCheckpoints({ two: '8', three: '9' });
    for (const consumer of ['two', 'three']) found.push(await other.findCheckpoint(consumer));
    await store.setCheckpoints({ three: '7-12,9', four: '' });
    for (const consumer of ['three', 'four']) found.push(await other.findCheckpoint(consumer));
    const again = handle();
    await again.addListed(first, listed('a.example'));
    await again.close();
    const opened = handle();
    found.push(await opened.findCheckpoint('one'));
    assert.deepEqual(found, [logStart, '6', '7', '8', '9', '7-12,9', '', '6']);
    assert.equal((await opened.findVerdicts(['a.example'], 0))[0]?.length, 1);
  });
}
