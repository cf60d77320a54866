/** What every store of investigations must do. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { dayMs } from '../../../src/model/durations.ts';
import { investigationLimits, type SearchQuery } from '../../../src/model/investigation/investigation.ts';
import type {
  Edit,
  EditOutcome,
  InvestigationKey,
  InvestigationStore,
  NewInvestigation,
  NewNode,
} from '../../../src/store/desk/investigation-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenInvestigationStore = (t: TestContext) => () => InvestigationStore;

export const ann = { name: 'ann', atMs: 1000 };
const bob = { name: 'bob', atMs: 2000 };
const accountId = 'acme';

export const query = (ip: string): SearchQuery => ({ parameters: { ip: [ip] } });

export const node = (id: string, parentId?: string, more: Partial<NewNode> = {}): NewNode => ({
  id,
  query: query('192.0.2.1'),
  note: '',
  star: false,
  ...(parentId === undefined ? {} : { parentId }),
  ...more,
});

export const investigation = (more: Partial<NewInvestigation> = {}): NewInvestigation => ({
  accountId,
  owner: { id: 'p-ann', name: 'ann' },
  name: 'Parcel scam',
  note: '',
  sharing: 'add',
  nodes: [],
  items: [],
  ...more,
});

async function created(store: InvestigationStore, more: Partial<NewInvestigation> = {}) {
  const { id } = await store.createInvestigation(investigation(more), ann);
  return { accountId, id };
}

export async function versionOf(store: InvestigationStore, key: InvestigationKey): Promise<number> {
  return (await store.findHead(key))?.version ?? 0;
}

/** At the current version. */
export async function edited(
  store: InvestigationStore,
  key: InvestigationKey,
  edit: Edit,
  by = ann,
): Promise<EditOutcome> {
  return store.editInvestigation(key, await versionOf(store, key), edit, by);
}

export function investigationStoreConformance(name: string, open: OpenInvestigationStore): void {
  describe(`${name} as a store of investigations`, () => {
    content(open);
    concurrency(open);
    bounds(open);
    visibility(open);
  });
}

function content(open: OpenInvestigationStore): void {
  test('an investigation is stored with its searches and findings as given', async (t) => {
    const store = open(t)();
    const countThen = { domains: 17, averageRisk: 96.5, atMs: 900 };
    const key = await created(store, {
      note: 'from the mail of Monday',
      nodes: [node('a', undefined, { note: 'first', star: true, countThen }), node('b', 'a')],
      items: [{ kind: 'domain', value: 'bad.example', note: 'seen in a mail' }],
    });
    const found = await store.findInvestigation(key);
    assert.ok(found);
    const { nodes, items, ...head } = found;
    assert.deepEqual(head, {
      id: key.id,
      accountId,
      name: 'Parcel scam',
      note: 'from the mail of Monday',
      sharing: 'add',
      owner: { id: 'p-ann', name: 'ann' },
      createdMs: 1000,
      changed: { by: 'ann', atMs: 1000 },
      version: 1,
      nodeCount: 2,
      itemCount: 1,
    });
    const common = { query: query('192.0.2.1'), by: 'ann', atMs: 1000, version: 1 };
    assert.deepEqual(nodes, [
      { ...common, id: 'a', parentId: undefined, note: 'first', star: true, countThen, countNow: countThen },
      {
        ...common,
        id: 'b',
        parentId: 'a',
        note: '',
        star: false,
        countThen: undefined,
        countNow: undefined,
      },
    ]);
    assert.equal(items.length, 1);
    assert.deepEqual(
      items.map(({ id: _id, ...item }) => item),
      [
        {
          kind: 'domain',
          value: 'bad.example',
          note: 'seen in a mail',
          by: 'ann',
          atMs: 1000,
          version: 1,
        },
      ],
    );
    assert.deepEqual(await store.findHead(key), head);
  });

  test('a removed search goes with everything below it, and nothing else does', async (t) => {
    const store = open(t)();
    const nodes = [node('a'), node('b', 'a'), node('c', 'b'), node('d'), node('e', 'a')];
    const key = await created(store, { nodes });
    const outcome = await edited(store, key, { kind: 'remove-node', id: 'a' });
    assert.ok(outcome.kind === 'applied');
    assert.deepEqual(outcome.ids.toSorted(), ['a', 'b', 'c', 'e']);
    const left = await store.findInvestigation(key);
    assert.deepEqual(
      left?.nodes.map(({ id }) => id),
      ['d'],
    );
  });

  test('a finding that is there already is not added again', async (t) => {
    const store = open(t)();
    const key = await created(store, { items: [{ kind: 'ip', value: '192.0.2.1', note: 'old' }] });
    const items = [
      { kind: 'ip', value: '192.0.2.1', note: 'new' },
      { kind: 'text', value: '192.0.2.1', note: '' },
    ] as const;
    const outcome = await edited(store, key, { kind: 'add-items', items }, bob);
    assert.ok(outcome.kind === 'applied');
    assert.equal(outcome.ids.length, 1);
    const found = await store.findInvestigation(key);
    assert.deepEqual(
      found?.items.map(({ kind, note }) => [kind, note]),
      [
        ['ip', 'old'],
        ['text', ''],
      ],
    );
  });

  test('what is unknown is named, and changes nothing', async (t) => {
    const store = open(t)();
    const key = await created(store);
    const missing = async (edit: Edit) => {
      const outcome = await edited(store, key, edit);
      return outcome.kind === 'missing' ? outcome.what : outcome.kind;
    };
    assert.equal(await missing({ kind: 'add-node', node: node('b', 'gone') }), 'node');
    assert.equal(await missing({ kind: 'change-node', id: 'gone', note: 'x' }), 'node');
    assert.equal(await missing({ kind: 'remove-node', id: 'gone' }), 'node');
    assert.equal(await missing({ kind: 'change-item', id: 'gone', note: 'x' }), 'item');
    assert.equal(await missing({ kind: 'remove-item', id: 'gone' }), 'item');
    assert.equal(await versionOf(store, key), 1);
    const other = { accountId: 'other', id: key.id };
    assert.deepEqual(await store.editInvestigation(other, 1, { kind: 'remove' }, ann), {
      kind: 'missing',
      what: 'investigation',
    });
    assert.equal(await store.findInvestigation(other), undefined);
  });

  test('counts of searches are stored without a new version', async (t) => {
    const store = open(t)();
    const key = await created(store, { nodes: [node('a')] });
    const count = { domains: 3, averageRisk: undefined, atMs: 5000 };
    await store.recordCounts(key, [
      { nodeId: 'a', count },
      { nodeId: 'gone', count },
    ]);
    await store.recordCounts({ accountId: 'other', id: key.id }, [
      { nodeId: 'a', count: { domains: 9, averageRisk: 1, atMs: 1 } },
    ]);
    const found = await store.findInvestigation(key);
    assert.equal(found?.version, 1);
    assert.deepEqual(found.nodes[0]?.countNow, count);
    assert.equal(found.nodes[0]?.countThen, undefined);
  });
}

function concurrency(open: OpenInvestigationStore): void {
  test('an edit of an earlier version changes nothing, and names what has changed since and by whom', async (t) => {
    const openOne = open(t);
    const [mine, theirs] = [openOne(), openOne()];
    const key = await created(mine, { nodes: [node('a')] });
    await edited(theirs, key, { kind: 'change-node', id: 'a', note: 'theirs', star: true }, bob);
    await edited(theirs, key, { kind: 'add-node', node: node('b', 'a') }, bob);
    const outcome = await mine.editInvestigation(key, 1, { kind: 'change-node', id: 'a', note: 'mine' }, ann);
    assert.ok(outcome.kind === 'conflict');
    assert.equal(outcome.version, 3);
    assert.equal(outcome.complete, true);
    const common = { investigationId: key.id, by: 'bob', atMs: 2000 };
    assert.deepEqual(
      outcome.changes.map(({ id: _id, ...change }) => change),
      [
        { ...common, version: 2, what: 'node-changed', ids: ['a'], members: ['note', 'star'] },
        { ...common, version: 3, what: 'node-added', ids: ['b'], members: [] },
      ],
    );
    const found = await mine.findInvestigation(key);
    assert.equal(found?.nodes[0]?.note, 'theirs');
  });

  test('of many edits at once of one version, one is applied', async (t) => {
    const openOne = open(t);
    const stores = [openOne(), openOne(), openOne()];
    const [first] = stores;
    assert.ok(first);
    const key = await created(first);
    const outcomes = await Promise.all(
      stores.flatMap((store, index) =>
        ['x', 'y'].map((name) =>
          store.editInvestigation(key, 1, { kind: 'change', name: `${name}${index}` }, ann),
        ),
      ),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'applied').length, 1);
    assert.equal(await versionOf(first, key), 2);
  });

  test('an edit that changes nothing makes no version', async (t) => {
    const store = open(t)();
    const key = await created(store, {
      nodes: [node('a')],
      items: [{ kind: 'text', value: 'v', note: 'n' }],
    });
    const item = (await store.findInvestigation(key))?.items[0]?.id ?? '';
    const edits: Edit[] = [
      { kind: 'change', name: 'Parcel scam', sharing: 'add' },
      { kind: 'change-node', id: 'a', note: '', star: false },
      { kind: 'change-item', id: item, note: 'n' },
      { kind: 'add-items', items: [{ kind: 'text', value: 'v', note: 'again' }] },
    ];
    for (const edit of edits)
      assert.deepEqual(await edited(store, key, edit, bob), { kind: 'applied', version: 1, ids: [] });
    assert.equal((await store.findHead(key))?.changed.by, 'ann');
  });

  test('after more changes than are kept, the list says that it is not complete', async (t) => {
    const store = open(t)();
    const key = await created(store);
    for (let version = 1; version <= 230; version += 1)
      await store.editInvestigation(key, version, { kind: 'change', note: String(version) }, ann);
    const outcome = await store.editInvestigation(key, 1, { kind: 'remove' }, ann);
    assert.ok(outcome.kind === 'conflict');
    assert.equal(outcome.complete, false);
    assert.equal(outcome.changes.at(-1)?.version, 231);
    const recent = await store.editInvestigation(key, 200, { kind: 'remove' }, ann);
    assert.ok(recent.kind === 'conflict' && recent.complete);
  });
}

function bounds(open: OpenInvestigationStore): void {
  const { nodes, items, contentBytes } = investigationLimits;
  const full = () => Array.from({ length: nodes }, (_, index) => node(`n${index}`));

  test('an investigation takes no more searches, findings or text than its bounds, and a refused edit changes nothing', async (t) => {
    const store = open(t)();
    const many = Array.from({ length: items }, (_, index) => ({
      kind: 'text' as const,
      value: String(index),
      note: '',
    }));
    const key = await created(store, { nodes: full(), items: many });
    const one = { kind: 'ip', value: '192.0.2.1', note: '' } as const;
    const refused = { code: 'conflict', message: /at most/ };
    await assert.rejects(edited(store, key, { kind: 'add-node', node: node('more') }), refused);
    await assert.rejects(edited(store, key, { kind: 'add-items', items: [one] }), refused);
    await assert.rejects(
      store.createInvestigation(investigation({ nodes: [...full(), node('x')] }), ann),
      refused,
    );
    const long = node('long', undefined, { note: 'x'.repeat(contentBytes) });
    await assert.rejects(store.createInvestigation(investigation({ nodes: [long] }), ann), refused);
    const head = await store.findHead(key);
    assert.deepEqual([head?.version, head?.nodeCount, head?.itemCount], [1, nodes, items]);
    assert.equal((await store.listInvestigations({ accountId, personId: 'p-ann', limit: 10 })).length, 1);
  });

  test('an account has no more investigations than its bound, and another account has its own', async (t) => {
    const store = open(t)();
    for (let count = 0; count < investigationLimits.perAccount; count += 1) await created(store);
    await assert.rejects(created(store), { code: 'conflict', message: /no more are allowed/ });
    await store.createInvestigation(investigation({ accountId: 'other' }), ann);
  });
}

function visibility(open: OpenInvestigationStore): void {
  test('a list has what is shared with the account and what belongs to the person, latest change first', async (t) => {
    const store = open(t)();
    const shared = await created(store, { name: 'shared' });
    await created(store, { name: 'mine', sharing: 'private' });
    await created(store, { name: 'theirs', sharing: 'private', owner: { id: 'p-bob', name: 'bob' } });
    await store.createInvestigation(investigation({ accountId: 'other', name: 'elsewhere' }), ann);
    await edited(store, shared, { kind: 'change', note: 'x' }, bob);
    const names = async (personId: string) =>
      (await store.listInvestigations({ accountId, personId, limit: 10 })).map(({ name }) => name);
    assert.deepEqual(await names('p-ann'), ['shared', 'mine']);
    assert.deepEqual(await names('p-bob'), ['shared', 'theirs']);
    assert.equal((await store.listInvestigations({ accountId, personId: 'p-ann', limit: 1 })).length, 1);
  });

  test('changes are listed to those who may see them, in order, and once', async (t) => {
    const store = open(t)();
    assert.equal(await store.lastChangeId(accountId), 0);
    const key = await created(store, { sharing: 'private' });
    const list = async (personId: string, afterId: number) =>
      store.listChanges({ accountId, personId, afterId, limit: 10 });
    const kinds = async (personId: string) => (await list(personId, 0)).map(({ members }) => members);
    await edited(store, key, { kind: 'change', note: 'secret' });
    assert.deepEqual(await kinds('p-bob'), []);
    await edited(store, key, { kind: 'change', sharing: 'view' });
    await edited(store, key, { kind: 'change', name: 'seen' });
    await edited(store, key, { kind: 'change', sharing: 'private' });
    await edited(store, key, { kind: 'change', note: 'secret again' });
    assert.deepEqual(await kinds('p-bob'), [['sharing'], ['name'], ['sharing']]);
    assert.equal((await kinds('p-ann')).length, 6);
    const all = await list('p-ann', 0);
    const last = all.at(-1)?.id ?? 0;
    assert.equal(await store.lastChangeId(accountId), last);
    assert.deepEqual(await list('p-ann', last), []);
    assert.equal(await store.lastChangeId('other'), 0);
  });

  test('of a removed investigation the removal is listed, for some days', async (t) => {
    const store = open(t)();
    const key = await created(store, { nodes: [node('a')] });
    assert.equal((await edited(store, key, { kind: 'remove' }, bob)).kind, 'applied');
    assert.equal(await store.findInvestigation(key), undefined);
    const list = () => store.listChanges({ accountId, personId: 'p-bob', afterId: 0, limit: 10 });
    assert.deepEqual(
      (await list()).map(({ what, by }) => [what, by]),
      [['investigation-removed', 'bob']],
    );
    const lastId = await store.lastChangeId(accountId);
    const late = { name: 'ann', atMs: bob.atMs + 8 * dayMs };
    await store.createInvestigation(investigation(), late);
    assert.deepEqual(
      (await list()).map(({ what }) => what),
      ['investigation-changed'],
    );
    assert.ok((await store.lastChangeId(accountId)) > lastId, 'ids are never reused');
  });
}
