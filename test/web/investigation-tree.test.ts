import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseSearch, stringifySearch } from '../../web/src/data/address.ts';
import { conflictsWith, type MyChange } from '../../web/src/data/investigation/merge-change.ts';
import { investigationSearch } from '../../web/src/pages/investigations/investigation-search.ts';
import { treeLines, treeMove } from '../../web/src/pages/investigations/tree-lines.ts';

const tree = (...parents: readonly (number | null)[]) =>
  parents.map((parent, index) => ({ id: `n${index}`, parent_id: parent === null ? null : `n${parent}` }));

const anyTree = fc
  .array(fc.option(fc.nat(30), { nil: null }), { maxLength: 30 })
  .map((parents) =>
    tree(...parents.map((parent, index) => (parent !== null && parent < index ? parent : null))),
  );

test('a tree shows every search once, below its parent, until the parent is closed', () => {
  fc.assert(
    fc.property(anyTree, fc.array(fc.nat(29)), (nodes, closing) => {
      const all = treeLines(nodes, new Set());
      assert.deepEqual(all.map(({ node }) => node.id).toSorted(), nodes.map(({ id }) => id).toSorted());
      const levelOf = new Map(all.map(({ node, level }) => [node.id, level]));
      for (const { node, level } of all)
        assert.equal(level, node.parent_id === null ? 1 : (levelOf.get(node.parent_id) ?? 0) + 1);
      const closed = new Set(closing.map((index) => `n${index}`));
      const isHidden = (node: (typeof nodes)[number]): boolean => {
        const parent = nodes.find(({ id }) => id === node.parent_id);
        return parent !== undefined && (closed.has(parent.id) || isHidden(parent));
      };
      assert.deepEqual(
        treeLines(nodes, closed)
          .map(({ node }) => node.id)
          .toSorted(),
        nodes
          .filter((node) => !isHidden(node))
          .map(({ id }) => id)
          .toSorted(),
      );
    }),
  );
});

test('a search whose parent is unknown is at the root', () => {
  assert.deepEqual(
    treeLines([{ id: 'a', parent_id: 'gone' }], new Set()).map(({ level }) => level),
    [1],
  );
});

test('arrows move through a tree, open and close it, and go to parents', () => {
  const lines = treeLines(tree(null, 0, 0, null), new Set());
  assert.deepEqual(treeMove('ArrowDown', lines, 'n0'), { go: 'n1' });
  assert.deepEqual(treeMove('ArrowUp', lines, 'n0'), { go: 'n0' });
  assert.deepEqual(treeMove('End', lines, 'n0'), { go: 'n3' });
  assert.deepEqual(treeMove('Home', lines, 'n3'), { go: 'n0' });
  assert.deepEqual(treeMove('ArrowRight', lines, 'n0'), { go: 'n1' });
  assert.deepEqual(treeMove('ArrowLeft', lines, 'n0'), { close: 'n0' });
  assert.deepEqual(treeMove('ArrowLeft', lines, 'n2'), { go: 'n0' });
  assert.equal(treeMove('ArrowLeft', lines, 'n3'), undefined);
  const closed = treeLines(tree(null, 0), new Set(['n0']));
  assert.deepEqual(treeMove('ArrowRight', closed, 'n0'), { open: 'n0' });
  assert.equal(treeMove('x', lines, 'n0'), undefined);
});

test('a state of the page becomes an address, and the address the same state', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9]{1,10}$/);
  const state = fc.record(
    {
      node: id,
      tab: fc.constantFrom('graph' as const, 'findings' as const),
      with: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }),
      common: fc.constant(true as const),
      lock: fc.constant(true as const),
      sort_by: fc.constantFrom('domain' as const, 'risk_score' as const),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  fc.assert(
    fc.property(state, (given) => {
      assert.deepEqual(investigationSearch(parseSearch(stringifySearch(given))), given);
    }),
  );
  assert.deepEqual(investigationSearch({ node: '../x', tab: 'else', with: ['<b>'], common: 'no' }), {});
});

test('a change is made at a later version where nobody has touched the same thing, and only there', () => {
  const note: MyChange = { kind: 'change-node', id: 'a', members: ['note'] };
  const theirs = (
    what: Parameters<typeof conflictsWith>[1]['what'],
    ids: string[] = [],
    members: never[] | ['note'] | ['star'] | ['name'] = [],
  ) => ({
    what,
    ids,
    members,
  });
  assert.equal(conflictsWith(note, theirs('node-changed', ['a'], ['note'])), true);
  assert.equal(conflictsWith(note, theirs('node-changed', ['a'], ['star'])), false);
  assert.equal(conflictsWith(note, theirs('node-changed', ['b'], ['note'])), false);
  assert.equal(conflictsWith(note, theirs('node-removed', ['b', 'a'])), true);
  assert.equal(conflictsWith(note, theirs('node-added', ['c'])), false);
  assert.equal(conflictsWith(note, theirs('investigation-changed', [], ['name'])), false);
  assert.equal(conflictsWith(note, theirs('investigation-removed')), true);
  const removal: MyChange = { kind: 'remove-node', id: 'a' };
  assert.equal(conflictsWith(removal, theirs('node-added', ['c'])), true, 'it may be below');
  assert.equal(conflictsWith(removal, theirs('items-added', ['i'])), false);
  assert.equal(
    conflictsWith({ kind: 'change', members: ['name'] }, theirs('investigation-changed', [], ['name'])),
    true,
  );
  assert.equal(
    conflictsWith({ kind: 'change', members: ['sharing'] }, theirs('investigation-changed', [], ['name'])),
    false,
  );
  assert.equal(conflictsWith({ kind: 'remove' }, theirs('items-added', ['i'])), true);
  assert.equal(
    conflictsWith({ kind: 'remove-item', id: 'i' }, theirs('item-changed', ['i'], ['note'])),
    true,
  );
});
