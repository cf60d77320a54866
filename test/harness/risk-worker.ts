/**
 * A process that writes to the store of risks, to be killed: `node risk-worker.ts DIRECTORY`. It says the number of every round that is
 * durable. Round n is a whole reading of a list that names the domains n and n + 1, and puts links of both.
 */
import { openRiskStore } from '../../src/store/embedded/risk-store.ts';
import { crashLinks } from './risk-crash-world.ts';

const [directory = ''] = process.argv.slice(2);
const risks = openRiskStore(directory);

for (let round = await risks.findPlace('worker'); ; round += 1) {
  const domains = [`n${round}.example`, `n${round + 1}.example`];
  const reading = { list: 'worker', label: 'spam', weight: 1, id: round, untilMs: undefined } as const;
  await risks.takeListed(
    reading,
    domains.map((domain) => ({ domain })),
  );
  await risks.endReading(reading, String(round), round);
  await risks.putBadLinks(
    domains.map((domain, index) => ({ domain, weight: (1 + index) / 4, links: crashLinks(round + index) })),
  );
  await risks.setPlace('worker', round + 1);
  process.stdout.write(`${round + 1}\n`);
}
