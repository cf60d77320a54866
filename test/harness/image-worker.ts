/** Keeps pictures until it is killed, and says a number once what it stands for is durable. */
import { openImageStore } from '../../src/store/embedded/image-store.ts';
import { capture } from '../conformance/image-store.ts';

const [directory = ''] = process.argv.slice(2);
const store = openImageStore(directory);
const { images } = await store.statistics();
for (let number = images; ; number += 1) {
  await store.keep(capture(`n${number % 5}.example`, number + 1, `look ${number}`));
  if (number % 7 === 6) await store.prune(number - 20);
  process.stdout.write(`${number}\n`);
}
