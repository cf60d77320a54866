/** A process that looks at domains until nothing is due, and tells so. Whoever started it kills it when it likes. */
import { startCollecting } from '../../src/collect/runner/start-collecting.ts';
import { readConfig } from '../../src/config.ts';
import { steadyCollectors } from './collect-crash-world.ts';
import { openCollectStores, shortly } from './collecting.ts';

const [directory = '', laterSeconds = '0'] = process.argv.slice(2);
const stores = openCollectStores(directory);
stores.clock.advanceSeconds(Number(laterSeconds));
const { settings } = readConfig({ environment: {}, flags: {} });
process.stdout.write('begun\n');
const collecting = startCollecting({
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
