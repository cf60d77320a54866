/** A process that adds batches of a thousand new domains, as an import does, two at once, and reports each batch when it is durable. */
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';

const batchSize = 1000;

const [directory = ''] = process.argv.slice(2);
const store = openDomainStore(directory, { now: () => 0 });
let before = Promise.resolve();
for (let batch = (await store.countNames()) / batchSize; ; batch += 1) {
  const updates = Array.from({ length: batchSize }, (_, index) => ({
    record: {
      domain: `d${batch * batchSize + index}.example`,
      soa_email: [`${index % 50}@soa.example`, `${batch}@soa.example`],
      parsed_whois: { registrar: `Registrar ${index % 3}`, record: `Batch ${batch} of ${index}` },
    },
    source: 'worker',
    seenMs: batch,
  }));
  const number = batch;
  const stored = store.upsert(updates).then(() => void process.stdout.write(`${number}\n`));
  await before;
  before = stored;
}
