/** Random edits of an investigation, compared with a model of it: a tree stays a tree, whatever is added and removed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  ann,
  edited,
  investigation,
  node,
  type OpenInvestigationStore,
  versionOf,
} from './investigation-store.ts';

type Step =
  | { readonly kind: 'add'; readonly below: number }
  | { readonly kind: 'remove'; readonly which: number }
  | { readonly kind: 'note'; readonly which: number; readonly note: string };

const index = fc.nat(12);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), below: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: index }) },
  fc.record({ kind: fc.constant('note' as const), which: index, note: fc.string({ maxLength: 5 }) }),
);

interface ModelNode {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly note: string;
}

function withoutSubtree(nodes: readonly ModelNode[], id: string): readonly ModelNode[] {
  const gone = new Set([id]);
  for (const one of nodes) if (one.parentId !== undefined && gone.has(one.parentId)) gone.add(one.id);
  return nodes.filter((one) => !gone.has(one.id));
}

export function investigationModel(name: string, open: OpenInvestigationStore): void {
  test(`${name} keeps a tree of searches as a model of it does`, async (t) => {
    const store = open(t)();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { id } = await store.createInvestigation(investigation(), ann);
        const key = { accountId: 'acme', id };
        let model: readonly ModelNode[] = [];
        let version = 1;
        for (const [at, one] of steps.entries()) {
          const before = model;
          if (one.kind === 'add') {
            const parentId = model[one.below]?.id;
            await edited(store, key, { kind: 'add-node', node: node(`n${at}`, parentId) });
            model = model.concat({ id: `n${at}`, parentId, note: '' });
          } else {
            const chosen = model[one.which];
            if (!chosen) continue;
            if (one.kind === 'remove') {
              await edited(store, key, { kind: 'remove-node', id: chosen.id });
              model = withoutSubtree(model, chosen.id);
            } else {
              await edited(store, key, { kind: 'change-node', id: chosen.id, note: one.note });
              if (chosen.note === one.note) continue;
              model = model.map((other) => (other === chosen ? { ...other, note: one.note } : other));
            }
          }
          if (model !== before) version += 1;
        }
        const found = await store.findInvestigation(key);
        const shown = found?.nodes.map(({ id: nodeId, parentId, note }) => ({ id: nodeId, parentId, note }));
        assert.deepEqual(shown, model);
        assert.equal(await versionOf(store, key), version);
        await edited(store, key, { kind: 'remove' });
      }),
      { numRuns: 40 },
    );
  });
}
