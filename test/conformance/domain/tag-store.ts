/** The tags of domain stores. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type TagScope, tagsPerAccountMax } from '../../../src/store/domain/tag-store.ts';
import type { DomainStore } from '../../../src/store/domain-store.ts';
import type { OpenDomainStore } from '../domain-store.ts';

const noonMs = Date.parse('2026-03-04T12:00:00Z');
const hourMs = 3_600_000;

const readerOf = (userId: string, nowMs = noonMs, accountId = 'acme') => ({ accountId, userId, nowMs });
const ann = readerOf('ann');
const bob = readerOf('bob');

const authorOf = (userId: string, scope: TagScope, atMs = noonMs) => ({
  accountId: 'acme',
  userId,
  username: userId,
  scope,
  atMs,
});

const add = (...labels: string[]) => ({ add: labels, remove: [] });
const remove = (...labels: string[]) => ({ add: [], remove: labels });

async function stored(store: DomainStore, ...names: string[]): Promise<void> {
  await store.upsert(names.map((domain) => ({ record: { domain }, source: 'test', seenMs: noonMs })));
}

async function tagged(
  store: DomainStore,
  labels: readonly string[],
  reader = ann,
  all: 'all' | 'any' = 'any',
): Promise<string[]> {
  const order = { by: 'domain', descending: false } as const;
  const matches = await store.search({ kind: 'tagged', with: all, labels, ...reader }, order, 10_000);
  assert.ok(matches.total !== 'too-many');
  const records = await store.getRecords(matches.ids, []);
  return records.map(({ json }) => (JSON.parse(json) as { domain: string }).domain);
}

const labelsOf = async (store: DomainStore, domain: string, reader = ann) =>
  ((await store.tagsOf([domain], reader))[0] ?? []).map(({ label }) => label);

const listed = async (store: DomainStore, reader = ann) =>
  (await store.listTags(reader, 100)).map(({ label, scope, domains }) => [label, scope, domains]);

const idOf = async (store: DomainStore, label: string, reader = ann): Promise<string> =>
  (await store.listTags(reader, 100)).find((tag) => tag.label === label)?.id ?? '';

export function tagStoreConformance(open: OpenDomainStore): void {
  tagging(open);
  definitions(open);
  merges(open);
  expiry(open);
  randomChanges(open);
}

function tagging(open: OpenDomainStore): void {
  test('domains with a label are listed page by page, after a merge too, and without tags of one user alone', async (t) => {
    const store = open(t)();
    const names = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com'];
    await stored(store, ...names);
    await store.changeTags(['a.com', 'b.com', 'c.com'], add('Phish'), authorOf('ann', 'team'));
    await store.changeTags(['c.com', 'd.com'], add('scam'), authorOf('ann', 'team'));
    await store.changeTags(['e.com'], add('phish'), authorOf('ann', 'own'));
    const merge = { label: 'phish', merge: true };
    await store.changeTag(await idOf(store, 'scam'), merge, ann);
    const everyone = readerOf('');
    const found: string[] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await store.listTaggedDomains('PHISH', everyone, { after, limit: 2 });
      assert.ok(page.domains.length <= 2);
      found.push(...page.domains);
      after = page.next;
    }
    assert.deepEqual(found.sort(), ['a.com', 'b.com', 'c.com', 'd.com']);
    const none = await store.listTaggedDomains('other', everyone, { after: '', limit: 2 });
    assert.deepEqual(none, { domains: [], next: undefined });
  });

  test('team tags are visible to the whole account, own tags to their user alone', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    await stored(store, 'a.com', 'b.com');
    assert.equal(await store.changeTags(['a.com'], add('Phish', 'mine'), authorOf('ann', 'own')), 1);
    assert.equal(await store.changeTags(['a.com'], add('Case 7'), authorOf('ann', 'team')), 1);
    assert.equal(await store.changeTags(['absent.com'], add('x'), authorOf('ann', 'team')), 0);
    const again = { add: ['PHISH'], remove: ['MINE'] };
    assert.equal(
      await store.changeTags(['a.com', 'absent.com'], again, authorOf('ann', 'own', noonMs + 1)),
      1,
    );
    assert.deepEqual(await labelsOf(other, 'a.com'), ['Case 7', 'Phish']);
    assert.deepEqual(await labelsOf(other, 'b.com'), []);
    assert.deepEqual(await labelsOf(other, 'a.com', bob), ['Case 7']);
    assert.deepEqual(await labelsOf(other, 'a.com', readerOf('ann', noonMs, 'other')), []);
    assert.deepEqual((await other.tagsOf(['a.com'], ann))[0]?.[1], {
      label: 'Phish',
      scope: 'own',
      taggedMs: noonMs,
      colour: 'grey',
    });
  });

  test('domains are found by all of several tags, or by any, within the account', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com', 'b.com');
    await store.changeTags(['a.com'], add('One', 'Two'), authorOf('ann', 'team'));
    await store.changeTags(['b.com'], add('two'), authorOf('ann', 'team'));
    assert.deepEqual(await tagged(store, ['one', 'TWO', 'Two'], ann, 'all'), ['a.com']);
    assert.deepEqual(await tagged(store, ['one', 'TWO']), ['a.com', 'b.com']);
    assert.deepEqual(await tagged(store, ['two'], readerOf('ann', noonMs, 'other')), []);
    assert.deepEqual(await tagged(store, ['one', 'absent'], ann, 'all'), []);
  });

  test('domains are found by own tags of the searching user, and by those of no other user', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com', 'b.com');
    await store.changeTags(['a.com'], add('private'), authorOf('ann', 'own'));
    await store.changeTags(['b.com'], add('private'), authorOf('bob', 'own'));
    await store.changeTags(['a.com'], add('shared'), authorOf('ann', 'team'));
    assert.deepEqual(await tagged(store, ['private']), ['a.com']);
    assert.deepEqual(await tagged(store, ['private'], bob), ['b.com']);
    assert.deepEqual(await tagged(store, ['private'], readerOf('eve')), []);
    assert.deepEqual(await tagged(store, ['private', 'shared'], ann, 'all'), ['a.com']);
    assert.deepEqual(await tagged(store, ['private', 'shared'], bob, 'all'), []);
    assert.deepEqual(await tagged(store, ['shared'], readerOf('eve')), ['a.com']);
  });

  test('a tag that leaves its last domain is deleted, unless it has a colour', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com');
    await store.changeTags(['a.com'], add('plain', 'red'), authorOf('ann', 'team'));
    await store.changeTag(await idOf(store, 'red'), { colour: 'red' }, ann);
    await store.changeTags(['a.com'], remove('plain', 'red'), authorOf('ann', 'team'));
    assert.deepEqual(await listed(store), [['red', 'team', 0]]);
  });

  test('an account has a greatest number of tags', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com');
    const labels = Array.from({ length: tagsPerAccountMax }, (_, n) => `t${n}`);
    for (let start = 0; start < labels.length; start += 100)
      await store.changeTags(['a.com'], add(...labels.slice(start, start + 100)), authorOf('ann', 'own'));
    await assert.rejects(store.changeTags(['a.com'], add('one more'), authorOf('bob', 'team')), {
      code: 'invalid-parameters',
    });
    assert.equal(await store.changeTags(['a.com'], add('t5'), authorOf('ann', 'own')), 1);
    assert.equal((await store.listTags(ann, 10)).length, 10);
  });
}

function definitions(open: OpenDomainStore): void {
  test('tags are listed by label with how many domains have them and who made them', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    await stored(store, 'a.com', 'b.com');
    await store.changeTags(['a.com', 'b.com'], add('kit'), authorOf('ann', 'team'));
    await store.changeTags(['a.com'], add('Alpha'), authorOf('ann', 'own'));
    await store.changeTags(['b.com'], add('bobs'), authorOf('bob', 'own'));
    await store.changeTags(['b.com'], add('KIT'), authorOf('bob', 'team', noonMs + hourMs));
    assert.deepEqual(await listed(other), [
      ['Alpha', 'own', 1],
      ['kit', 'team', 2],
    ]);
    assert.deepEqual(await listed(other, bob), [
      ['bobs', 'own', 1],
      ['kit', 'team', 2],
    ]);
    const { id: _id, ...kit } = (await other.listTags(bob, 10))[1] ?? { id: '' };
    assert.deepEqual(kit, {
      label: 'kit',
      scope: 'team',
      colour: 'grey',
      domains: 2,
      by: 'ann',
      createdMs: noonMs,
      usedMs: noonMs + hourMs,
    });
  });

  test('a renamed tag is on the same domains, and its former label is free', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com', 'b.com');
    await store.changeTags(['a.com'], add('before'), authorOf('ann', 'team'));
    const change = { label: 'After', colour: 'violet' as const };
    const result = await store.changeTag(await idOf(store, 'before'), change, bob);
    assert.ok(result.outcome === 'changed');
    assert.deepEqual([result.tag.label, result.tag.colour, result.moved], ['After', 'violet', undefined]);
    assert.deepEqual(await tagged(store, ['after']), ['a.com']);
    assert.deepEqual(await tagged(store, ['before']), []);
    await store.changeTags(['b.com'], add('before'), authorOf('ann', 'team'));
    assert.deepEqual(await tagged(store, ['before']), ['b.com']);
    const sameLetters = await store.changeTag(await idOf(store, 'After'), { label: 'AFTER' }, ann);
    assert.equal(sameLetters.outcome, 'changed');
    assert.deepEqual(await labelsOf(store, 'a.com'), ['AFTER']);
  });

  test('a tag of the team becomes that of one user, and the other way round', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com');
    await store.changeTags(['a.com'], add('case'), authorOf('ann', 'team'));
    const id = await idOf(store, 'case');
    await store.changeTag(id, { scope: 'own' }, bob);
    assert.deepEqual([await tagged(store, ['case']), await tagged(store, ['case'], bob)], [[], ['a.com']]);
    assert.deepEqual(await store.changeTag(id, { scope: 'team' }, ann), { outcome: 'missing' });
    await store.changeTag(id, { scope: 'team' }, bob);
    assert.deepEqual(await tagged(store, ['case']), ['a.com']);
  });

  test('nobody changes or deletes own tags of another user, or tags of another account', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com');
    await store.changeTags(['a.com'], add('private'), authorOf('ann', 'own'));
    const id = await idOf(store, 'private');
    for (const reader of [bob, readerOf('ann', noonMs, 'other')]) {
      assert.deepEqual(await store.changeTag(id, { label: 'x' }, reader), { outcome: 'missing' });
      assert.equal(await store.deleteTag(id, reader), undefined);
    }
    assert.deepEqual(await store.changeTag('no number', { label: 'x' }, ann), { outcome: 'missing' });
    assert.deepEqual(await listed(store), [['private', 'own', 1]]);
  });

  test('a deleted tag is on no domain, and a new one of its label begins empty', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    await stored(store, 'a.com', 'b.com');
    await store.changeTags(['a.com', 'b.com'], add('gone'), authorOf('ann', 'team'));
    assert.equal(await store.deleteTag(await idOf(store, 'gone'), ann), 2);
    assert.deepEqual([await listed(other), await tagged(other, ['gone'])], [[], []]);
    await store.changeTags(['b.com'], add('gone'), authorOf('ann', 'team'));
    assert.deepEqual(
      [await listed(other), await tagged(other, ['gone'])],
      [[['gone', 'team', 1]], ['b.com']],
    );
    await other.sweepTags(noonMs);
    assert.deepEqual(
      [await listed(store), await tagged(store, ['gone'])],
      [[['gone', 'team', 1]], ['b.com']],
    );
  });

  test('the average risk of a tag is that of its domains with a score', async (t) => {
    const store = open(t)();
    const scored = (domain: string, score: number) => ({
      record: { domain, domain_risk: { risk_score: score, components: [] } },
      source: 'test',
      seenMs: noonMs,
    });
    await stored(store, 'none.com');
    await store.upsert([scored('a.com', 90), scored('b.com', 40)]);
    await store.changeTags(['a.com', 'b.com', 'none.com'], add('kit'), authorOf('ann', 'team'));
    await store.changeTags(['none.com'], add('plain'), authorOf('ann', 'team'));
    const ids = [await idOf(store, 'kit'), await idOf(store, 'plain')];
    assert.deepEqual(await store.averageRisksOfTags(ids), [65, undefined]);
  });

  test('the overlap counts other visible tags of the domains with a label', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com', 'b.com', 'c.com');
    await store.changeTags(['a.com', 'b.com'], add('kit'), authorOf('ann', 'team'));
    await store.changeTags(['b.com', 'c.com'], add('kit', 'mine'), authorOf('ann', 'own'));
    await store.changeTags(['a.com', 'b.com', 'c.com'], add('all'), authorOf('ann', 'team'));
    await store.changeTags(['a.com'], add('bobs'), authorOf('bob', 'own'));
    const limits = { domainsMax: 10, tagsMax: 10 };
    assert.deepEqual(await store.listTagOverlap('KIT', ann, limits), {
      domains: 3,
      complete: true,
      others: [
        { label: 'all', scope: 'team', colour: 'grey', domains: 3 },
        { label: 'mine', scope: 'own', colour: 'grey', domains: 2 },
      ],
    });
    const few = await store.listTagOverlap('kit', ann, { domainsMax: 1, tagsMax: 1 });
    assert.deepEqual([few.domains, few.complete, few.others.length], [3, false, 1]);
  });
}

function merges(open: OpenDomainStore): void {
  /** `from` is on a.com and b.com, `into` on b.com and c.com. */
  async function mergeable(store: DomainStore): Promise<{ from: string; into: string }> {
    await stored(store, 'a.com', 'b.com', 'c.com');
    await store.changeTags(['a.com', 'b.com'], add('from'), authorOf('ann', 'team'));
    await store.changeTags(['b.com', 'c.com'], add('into'), authorOf('ann', 'team', noonMs + hourMs));
    return { from: await idOf(store, 'from'), into: await idOf(store, 'into') };
  }

  test('a label that is in use is refused unless a merge is allowed', async (t) => {
    const store = open(t)();
    const { from, into } = await mergeable(store);
    const refused = await store.changeTag(from, { label: 'INTO' }, ann);
    assert.ok(refused.outcome === 'exists');
    assert.deepEqual([refused.tag.id, refused.tag.domains], [into, 2]);
    assert.deepEqual(await tagged(store, ['from']), ['a.com', 'b.com']);
  });

  test('a merged tag is on the domains of both, before and after it is swept, each once', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    const { from, into } = await mergeable(store);
    const result = await store.changeTag(from, { label: 'into', merge: true, colour: 'blue' }, ann);
    assert.ok(result.outcome === 'changed');
    assert.deepEqual([result.tag.id, result.tag.domains, result.moved], [into, 3, 2]);
    for (const sweep of [false, true]) {
      if (sweep) await other.sweepTags(noonMs);
      assert.deepEqual(await listed(store), [['into', 'team', 3]]);
      assert.deepEqual(await tagged(store, ['into']), ['a.com', 'b.com', 'c.com']);
      assert.deepEqual(await tagged(store, ['from']), []);
      assert.deepEqual(await store.tagsOf(['a.com', 'b.com', 'c.com'], ann), [
        [{ label: 'into', scope: 'team', taggedMs: noonMs, colour: 'blue' }],
        [{ label: 'into', scope: 'team', taggedMs: noonMs, colour: 'blue' }],
        [{ label: 'into', scope: 'team', taggedMs: noonMs + hourMs, colour: 'blue' }],
      ]);
    }
  });

  test('a tag that was merged is removed from a domain that had either', async (t) => {
    const store = open(t)();
    const { from } = await mergeable(store);
    await store.changeTag(from, { label: 'into', merge: true }, ann);
    await store.changeTags(['a.com', 'b.com'], remove('into'), authorOf('bob', 'team'));
    assert.deepEqual(
      [await tagged(store, ['into']), await listed(store)],
      [['c.com'], [['into', 'team', 1]]],
    );
    await store.changeTags(['a.com'], add('into'), authorOf('bob', 'team'));
    await store.sweepTags(noonMs);
    assert.deepEqual(await listed(store), [['into', 'team', 2]]);
  });

  test('a merge of merged tags, and its deletion, take all of them along', async (t) => {
    const store = open(t)();
    const { from, into } = await mergeable(store);
    await stored(store, 'd.com');
    await store.changeTags(['d.com'], add('last'), authorOf('ann', 'team'));
    await store.changeTag(from, { label: 'into', merge: true }, ann);
    const result = await store.changeTag(into, { label: 'last', merge: true }, ann);
    assert.ok(result.outcome === 'changed');
    assert.deepEqual([result.moved, result.tag.domains], [3, 4]);
    assert.equal(await store.deleteTag(result.tag.id, ann), 4);
    assert.deepEqual(await tagged(store, ['from', 'into', 'last']), []);
    await store.sweepTags(noonMs);
    assert.deepEqual([await listed(store), await labelsOf(store, 'a.com')], [[], []]);
  });

  test('an own tag that is shared merges with that of the team', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com', 'b.com');
    await store.changeTags(['a.com'], add('case'), authorOf('ann', 'own'));
    await store.changeTags(['b.com'], add('Case'), authorOf('bob', 'team'));
    const own = (await store.listTags(ann, 10)).find(({ scope }) => scope === 'own')?.id ?? '';
    assert.equal((await store.changeTag(own, { scope: 'team' }, ann)).outcome, 'exists');
    await store.changeTag(own, { scope: 'team', merge: true }, ann);
    assert.deepEqual(await tagged(store, ['case'], bob), ['a.com', 'b.com']);
  });
}

function expiry(open: OpenDomainStore): void {
  test('a tag is absent from every read from the moment it expires', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com', 'b.com');
    await store.changeTags(['a.com'], add('soon', 'stays'), authorOf('ann', 'team'));
    const untilMs = noonMs + hourMs;
    await store.changeTag(await idOf(store, 'soon'), { expiresMs: untilMs }, ann);
    const before = readerOf('ann', untilMs - 1);
    const after = readerOf('ann', untilMs);
    assert.deepEqual(await labelsOf(store, 'a.com', before), ['soon', 'stays']);
    assert.equal((await store.tagsOf(['a.com'], before))[0]?.[0]?.expiresMs, untilMs);
    assert.deepEqual(await tagged(store, ['soon'], before), ['a.com']);
    assert.deepEqual(await labelsOf(store, 'a.com', after), ['stays']);
    assert.deepEqual(await tagged(store, ['soon'], after), []);
    assert.deepEqual(await listed(store, after), [['stays', 'team', 1]]);
    const overlap = await store.listTagOverlap('stays', after, { domainsMax: 10, tagsMax: 10 });
    assert.deepEqual(overlap.others, []);
    const id = await idOf(store, 'soon', before);
    assert.deepEqual(await store.changeTag(id, { expiresMs: 'never' }, after), { outcome: 'missing' });
  });

  test('the label of an expired tag is free: a new tag is on none of its domains', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com', 'b.com', 'c.com');
    await store.changeTags(['a.com'], add('soon'), authorOf('ann', 'team'));
    await store.changeTags(['c.com'], add('other'), authorOf('ann', 'team'));
    await store.changeTag(await idOf(store, 'soon'), { expiresMs: noonMs + 1 }, ann);
    const later = readerOf('ann', noonMs + 1);
    const renamed = await store.changeTag(await idOf(store, 'other'), { label: 'soon' }, later);
    assert.equal(renamed.outcome, 'changed');
    assert.deepEqual(await tagged(store, ['soon'], later), ['c.com']);
    await store.changeTag(await idOf(store, 'soon', later), { expiresMs: noonMs + 2 }, later);
    await store.changeTags(['b.com'], add('soon'), authorOf('ann', 'team', noonMs + 2));
    assert.deepEqual(await tagged(store, ['soon'], readerOf('ann', noonMs + 2)), ['b.com']);
  });

  test('sweeping removes what has expired, and nothing that has not', async (t) => {
    const store = open(t)();
    await stored(store, 'a.com');
    await store.changeTags(['a.com'], add('soon', 'later'), authorOf('ann', 'team'));
    await store.changeTag(await idOf(store, 'soon'), { expiresMs: noonMs + 1 }, ann);
    await store.changeTag(await idOf(store, 'later'), { expiresMs: noonMs + 2 }, ann);
    await store.sweepTags(noonMs + 1);
    // To a clock that was set back it is gone as well.
    assert.deepEqual(await listed(store), [['later', 'team', 1]]);
  });
}

type Step =
  | {
      readonly kind: 'add' | 'remove';
      readonly user: string;
      readonly scope: TagScope;
      readonly label: string;
      readonly domain: string;
    }
  | { readonly kind: 'rename'; readonly user: string; readonly label: string; readonly to: string }
  | { readonly kind: 'delete'; readonly user: string; readonly label: string }
  | { readonly kind: 'sweep' };

const users = fc.constantFrom('ann', 'bob');
const scopes = fc.constantFrom<TagScope>('own', 'team');
const someLabel = fc.constantFrom('x', 'y', 'z');
const someDomain = fc.constantFrom('a.com', 'b.com', 'c.com');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('add' as const, 'remove' as const),
      user: users,
      scope: scopes,
      label: someLabel,
      domain: someDomain,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rename' as const),
      user: users,
      label: someLabel,
      to: someLabel,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), user: users, label: someLabel }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
);

/** Tags as plain sets: by user (empty for the team) and label, the domains. */
class TagReference {
  readonly #sets = new Map<string, Set<string>>();

  apply(given: Step): void {
    if (given.kind === 'sweep') return;
    if (given.kind === 'add' || given.kind === 'remove') {
      const key = `${given.scope === 'own' ? given.user : ''} ${given.label}`;
      const set = this.#sets.get(key) ?? new Set();
      if (given.kind === 'add') this.#sets.set(key, set.add(given.domain));
      else if (set.delete(given.domain) && set.size === 0) this.#sets.delete(key);
      return;
    }
    const key = this.keyOf(given.user, given.label);
    const set = key === undefined ? undefined : this.#sets.get(key);
    if (key === undefined || !set) return;
    this.#sets.delete(key);
    if (given.kind !== 'rename') return;
    const into = `${key.split(' ')[0]} ${given.to}`;
    this.#sets.set(into, new Set([...(this.#sets.get(into) ?? []), ...set]));
  }

  /** The first tag of a label in a list: that of the team. */
  keyOf(user: string, label: string): string | undefined {
    return [` ${label}`, `${user} ${label}`].find((key) => this.#sets.has(key));
  }

  listOf(user: string): unknown[] {
    return [...this.#sets]
      .flatMap(([key, set]) => {
        const [owner, label] = key.split(' ') as [string, string];
        return owner === '' || owner === user ? [[label, owner === '' ? 'team' : 'own', set.size]] : [];
      })
      .sort((one, other) =>
        String([one[0], one[1] === 'own']) < String([other[0], other[1] === 'own']) ? -1 : 1,
      );
  }

  domainsOf(user: string, label: string): string[] {
    return [
      ...new Set([` ${label}`, `${user} ${label}`].flatMap((key) => [...(this.#sets.get(key) ?? [])])),
    ].sort();
  }
}

function randomChanges(open: OpenDomainStore): void {
  test('after any changes, merges, deletions and sweeps, lists, counts and searches are those of plain sets', async (t) => {
    const handle = open(t);
    const store = handle();
    await stored(store, 'a.com', 'b.com', 'c.com');
    let account = 0;
    const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      account += 1;
      const accountId = `account${account}`;
      const reader = (user: string) => readerOf(user, noonMs, accountId);
      const reference = new TagReference();
      for (const given of steps) {
        reference.apply(given);
        await apply(store, given, accountId);
      }
      for (const user of ['ann', 'bob']) {
        assert.deepEqual(await listed(store, reader(user)), reference.listOf(user));
        for (const label of ['x', 'y', 'z'])
          assert.deepEqual(await tagged(store, [label], reader(user)), reference.domainsOf(user, label));
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });
}

async function apply(store: DomainStore, given: Step, accountId: string): Promise<void> {
  if (given.kind === 'sweep') return store.sweepTags(noonMs);
  if (given.kind === 'add' || given.kind === 'remove') {
    const change = given.kind === 'add' ? add(given.label) : remove(given.label);
    await store.changeTags([given.domain], change, { ...authorOf(given.user, given.scope), accountId });
    return;
  }
  const reader = readerOf(given.user, noonMs, accountId);
  const id = await idOf(store, given.label, reader);
  if (given.kind === 'rename') await store.changeTag(id, { label: given.to, merge: true }, reader);
  else await store.deleteTag(id, reader);
}
