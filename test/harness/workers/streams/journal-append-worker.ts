/**
 * A process that appends numbered lines one by one to a stream of its own, without a producer mark, and reports each that was acknowledged. The
 * test may make its system calls fail, or kill it, at any time.
 */
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import { journaledLine } from './journal-crash.ts';

const [directory = '', stream = '', count = '0'] = process.argv.slice(2);
const store = openStreamStore(directory, (fault) => process.stdout.write(`fault ${fault}\n`));
const first = (await store.findState(stream))?.lines ?? 0;
for (let number = first; number < first + Number(count); ) {
  try {
    await store.append([{ stream, bytes: Buffer.from(journaledLine(number)) }], 0);
    number += 1;
    process.stdout.write(`${number}\n`);
  } catch (error) {
    process.stdout.write(`failed ${String(error).split('\n')[0]}\n`);
  }
}
await store.close();
