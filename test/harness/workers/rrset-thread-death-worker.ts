/**
 * A process that adds observations and compacts segments while `die-after-commit-worker.ts` ends the thread that commits. Prints the counts of
 * all rows, what is damaged, and the names of all files.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import { nowSeconds, rdata, wire } from '../arbitraries/rrset-arbitraries.ts';

const [directory = ''] = process.argv.slice(2);
/** Fails when the thread of the last call still lives. */
const dieOnce = (when: 'more' | 'fewer') =>
  writeFileSync(process.env['DIE_AFTER_COMMIT'] ?? '', when, { flag: 'wx' });
const store = openRrsetStore(directory, { now: () => nowSeconds * 1000 });

for (const owner of ['a.example.', 'b.example.']) {
  const intake = await store.openIntake({ importId: owner });
  await intake.add({
    origin: 'sensor',
    owner: wire(owner),
    type: 1,
    bailiwick: wire('example.'),
    rdata: [rdata(1, '192.0.2.1')],
    firstSeconds: nowSeconds,
    lastSeconds: nowSeconds,
    count: 1,
  });
  dieOnce('more');
  await intake.finish();
}
dieOnce('fewer');
await store.compact();

const counts: number[] = [];
const scan = store.scan({
  selection: { by: 'owner', name: wire('.'), span: 'below' },
  filter: { types: 'any', fences: {} },
  merged: true,
  nowSeconds,
});
for await (const rows of scan) counts.push(...rows.map(({ count }) => count));
const damages: string[] = [];
for await (const { file, problem } of store.verify()) damages.push(`${file} ${problem}`);
const { segments } = await store.statistics();
const files = readdirSync(join(directory, 'rrsets')).filter((file) => !file.startsWith('manifest'));
process.stdout.write(JSON.stringify({ counts, damages, segments, files }));
await store.close();
