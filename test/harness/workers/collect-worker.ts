/** A process that runs collection until nothing is due, and reports it. The test may kill it at any time. */

import { readConfig } from '../../../src/config.ts';
import { startCollectors } from '../../../src/pipeline/collection/start-collectors.ts';
import { openCollectStores, shortly } from '../fixtures/collection-fixture.ts';
import { steadyCollectors } from './crash-collectors.ts';

const [directory = '', laterSeconds = '0'] = process.argv.slice(2);
const stores = openCollectStores(directory);
stores.clock.advanceSeconds(Number(laterSeconds));
const { settings } = readConfig({ environment: {}, flags: {} });
process.stdout.write('begun\n');
const collecting = startCollectors({
  ...stores,
  collectors: steadyCollectors,
  settings: { ...settings.collect, domainsPerSecond: 1000 },
  onFailure: (error) => process.stderr.write(`${String(error)}\n`),
});
for (let quiet = 0; quiet < 20; ) {
  await shortly();
  const { due, leased } = await stores.jobs.statistics('collect', stores.clock.now());
  quiet = due + leased === 0 && collecting.statistics().jobs.begun > 0 ? quiet + 1 : 0;
}
process.stdout.write('complete\n');
await collecting.close();
await stores.close();
