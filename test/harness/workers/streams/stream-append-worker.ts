/**
 * A process that atomically appends numbered lines to two streams with a producer mark, and reports each confirmed
 * append. A failed append is retried. The test may make its system calls fail, or kill it, at any time.
 */
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import { numberedLines, numberOf, producer } from './crash-streams.ts';

const [directory = '', count = '0'] = process.argv.slice(2);
const store = openStreamStore(directory, (fault) => process.stdout.write(`fault ${fault}\n`));
const first = numberOf(await store.findProducerMark(producer));
for (let number = first; number < first + Number(count); ) {
  const from = number === 0 ? undefined : String(number);
  try {
    const appended = await store.append(numberedLines(number), number * 20_000, {
      producer,
      from,
      to: String(number + 1),
    });
    if (!appended && numberOf(await store.findProducerMark(producer)) !== number + 1)
      throw new Error('the mark is lost');
    number += 1;
    process.stdout.write(`${number}\n`);
  } catch (error) {
    process.stdout.write(`failed ${String(error).split('\n')[0]}\n`);
  }
}
await store.close();
