/**
 * A process that appends numbered lines to two streams at once under a mark, and tells of each when it is confirmed. A failed
 * append is tried again. Whoever started it lets its system calls fail, or kills it when it likes.
 */
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { numberedLines, numberOf, writer } from './stream-crash-world.ts';

const [directory = '', count = '0'] = process.argv.slice(2);
const store = openStreamStore(directory, (fault) => process.stdout.write(`fault ${fault}\n`));
const first = numberOf(await store.findMark(writer));
for (let number = first; number < first + Number(count); ) {
  const from = number === 0 ? undefined : String(number);
  try {
    const appended = await store.append(numberedLines(number), number * 20_000, {
      writer,
      from,
      to: String(number + 1),
    });
    if (!appended && numberOf(await store.findMark(writer)) !== number + 1)
      throw new Error('the mark is lost');
    number += 1;
    process.stdout.write(`${number}\n`);
  } catch (error) {
    process.stdout.write(`failed ${String(error).split('\n')[0]}\n`);
  }
}
await store.close();
