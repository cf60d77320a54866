/**
 * A process that repeatedly upserts batches of records of the same domains, and reports each batch when it is
 * durable. With a number, records have as many values more.
 */
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';

const [directory = '', values = '0'] = process.argv.slice(2);
const store = openDomainStore(directory, { now: () => 0 });
const start = (await store.statistics()).records;
for (let round = start; ; round += 1) {
  const updates = Array.from({ length: 60 }, (_, index) => ({
    record: {
      domain: `d${(round * 7 + index) % 200}.example`,
      registrar: `Registrar ${(round + index) % 3}`,
      soa_email: Array.from(
        { length: Number(values) },
        (_value, at) => `${(round % 5) * index + at}@soa.example`,
      ),
      parsed_whois: {
        registrar: `Registrar ${(round + index) % 3}`,
        registrant_contact: { email: [`owner${(round * index) % 50}@mail.example`] },
        record: `Round ${round} of ${index}`,
      },
      domain_risk: { risk_score: (round + index) % 101, components: [] },
    },
    source: 'worker',
    seenMs: round,
  }));
  await store.upsert(updates);
  process.stdout.write(`${round}\n`);
}
