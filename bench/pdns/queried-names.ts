/** Names with five RRsets each, from all over a store; with fewer where there are too few of them. */
import { nameText } from '../../src/model/dns/name.ts';
import { openRrsetStore } from '../../src/store/embedded/rrset-store.ts';

const [namesMin, namesMax] = [20, 2000];
const rowsWanted = 5;

export interface QueriedNames {
  readonly names: readonly string[];
  /** Of each name. */
  readonly rows: number;
}

export async function queriedNames(data: string): Promise<QueriedNames> {
  const store = openRrsetStore(data, { now: () => Date.now() });
  const found = new Map<number, string[]>();
  let [owner, rows] = ['', 0];
  const add = () => {
    const alike = found.get(rows);
    if (alike) alike.push(owner);
    else found.set(rows, [owner]);
  };
  const all = store.scan({
    selection: { by: 'owner', name: new Uint8Array(1), span: 'below' },
    filter: { types: 'any', fences: {} },
    merged: true,
    nowSeconds: Math.floor(Date.now() / 1000),
  });
  for await (const slice of all) {
    for (const row of slice) {
      const name = nameText(row.owner);
      if (name !== owner && rows > 0 && rows <= rowsWanted) add();
      rows = name === owner ? rows + 1 : 1;
      owner = name;
    }
  }
  await store.close();
  for (let wanted = rowsWanted; wanted > 0; wanted -= 1) {
    const names = found.get(wanted) ?? [];
    const step = Math.max(1, Math.floor(names.length / namesMax));
    if (names.length >= namesMin)
      return { names: names.filter((_, at) => at % step === 0).slice(0, namesMax), rows: wanted };
  }
  throw new Error(`${data} has too few names`);
}
