/** A process that merges the tag `from` into `into`, reports that, and sweeps what is left over until it is killed. */
import { setInterval } from 'node:timers';
import { openDomainStore } from '../../../../src/store/embedded/domain-store.ts';

const [directory = ''] = process.argv.slice(2);
const store = openDomainStore(directory, { now: () => 0 });
const reader = { accountId: 'acme', userId: 'ann', nowMs: 1 };
const tags = await store.listTags(reader, 10);
const from = tags.find(({ label }) => label === 'from');
const merged = await store.changeTag(from?.id ?? '', { label: 'into', merge: true }, reader);
process.stdout.write(`${merged.outcome}\n`);
await store.sweepTags(1);
setInterval(() => undefined, 1000);
