/**
 * A process to be killed that writes to the risk store: `node risk-worker.ts DIRECTORY`. It prints the number of
 * every durable round. Round n is a complete snapshot of a list with the domains n and n + 1, and the links of both.
 */
import { openRiskStore } from '../../../src/store/embedded/risk-store.ts';
import { crashLinks } from './crash-links.ts';

const [directory = ''] = process.argv.slice(2);
const risks = openRiskStore(directory);

for (let round = Number(await risks.findCheckpoint('worker')); ; round += 1) {
  const domains = [`n${round}.example`, `n${round + 1}.example`];
  const reading = { list: 'worker', label: 'spam', weight: 1, id: round, untilMs: undefined } as const;
  await risks.addListed(
    reading,
    domains.map((domain) => ({ domain })),
  );
  await risks.completeSnapshot(reading, String(round), round);
  await risks.replaceBadLinks(
    domains.map((domain, index) => ({ domain, weight: (1 + index) / 4, links: crashLinks(round + index) })),
  );
  await risks.setCheckpoint('worker', String(round + 1));
  process.stdout.write(`${round + 1}\n`);
}
