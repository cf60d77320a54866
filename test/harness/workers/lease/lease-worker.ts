/** Acquires a lease, says so, and lives until it is killed. */
import { openLeaseStore } from '../../../../src/store/embedded/lease-store.ts';

const [, , directory = '', name = ''] = process.argv;
const store = openLeaseStore(directory);
await store.acquireLease(name, 'worker', Date.now(), Date.now() + 300_000);
process.stdout.write('held\n');
setInterval(() => undefined, 60_000);
