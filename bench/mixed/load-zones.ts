/** Below which names the load of passive DNS lies, and what of it is stored. */
import { nameText, parseName } from '../../src/model/dns/name.ts';
import { openRrsetStore } from '../../src/store/embedded/rrset-store.ts';

export const dnstapZone = 'dnstap-load.example';
export const importZone = 'import-load.example';

/** How many RRsets there are below each group of a zone: the label before it. */
export async function storedIn(data: string, zone: string): Promise<ReadonlyMap<string, number>> {
  const store = openRrsetStore(data, { now: () => Date.now() });
  const counts = new Map<string, number>();
  const all = store.scan({
    selection: { by: 'owner', name: parseName(`${zone}.`) as Uint8Array, span: 'below' },
    filter: { types: { only: new Set([1]) }, fences: {} },
    merged: true,
    nowSeconds: Math.floor(Date.now() / 1000),
  });
  for await (const slice of all) {
    for (const { owner } of slice) {
      const group = nameText(owner).split('.').at(-4) ?? '';
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
  }
  await store.close();
  return counts;
}
