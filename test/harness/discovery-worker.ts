/** A process that finds lookalikes until nothing is left to do, and tells so. Whoever started it kills it when it likes. */
import { discovering, openDiscoveryStores } from './discovering.ts';

const [directory = '', laterSeconds = '0'] = process.argv.slice(2);
const stores = openDiscoveryStores(directory);
stores.clock.advanceSeconds(Number(laterSeconds));
const world = discovering(stores);
process.stdout.write('begun\n');
await Promise.all([world.discover().then(() => world.follow()), world.searchKnown()]);
process.stdout.write('complete\n');
await stores.close();
