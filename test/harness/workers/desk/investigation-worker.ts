/** Another process that changes one investigation without end: node and item by turns. Reports each version that was acknowledged. */
import { openInvestigationStore } from '../../../../src/store/embedded/desk/investigation-store.ts';

const [directory = '', id = ''] = process.argv.slice(2);
const store = openInvestigationStore(directory);
const key = { accountId: 'acme', id };

for (let version = 1; ; version += 1) {
  const by = { name: 'worker', atMs: version };
  const node = { id: `n${version}`, query: { ql: 'ip = 192.0.2.1' }, note: 'x'.repeat(200), star: false };
  const edit =
    version % 3 === 0
      ? ({ kind: 'remove-node', id: `n${version - 1}` } as const)
      : ({
          kind: 'add-node',
          node: { ...node, parentId: version % 3 === 2 ? `n${version - 1}` : undefined },
        } as const);
  const outcome = await store.editInvestigation(key, version, edit, by);
  if (outcome.kind !== 'applied') throw new Error(JSON.stringify(outcome));
  process.stdout.write(`${outcome.version}\n`);
}
