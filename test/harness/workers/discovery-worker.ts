/** A process that runs discovery until nothing is left to do, and reports it. The test may kill it at any time. */
import { discoveryFixture, openDiscoveryStores } from '../fixtures/discovery-fixture.ts';

const [directory = '', laterSeconds = '0'] = process.argv.slice(2);
const stores = openDiscoveryStores(directory);
stores.clock.advanceSeconds(Number(laterSeconds));
const world = discoveryFixture(stores);
process.stdout.write('begun\n');
await Promise.all([world.discover().then(() => world.follow()), world.searchKnown()]);
process.stdout.write('complete\n');
await stores.close();
