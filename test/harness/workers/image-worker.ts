/** Stores images until it is killed, and prints the number of each one when it is durable. */
import { openImageStore } from '../../../src/store/embedded/image-store.ts';
import { capture } from '../../conformance/image-store.ts';

const [directory = ''] = process.argv.slice(2);
const store = openImageStore(directory);
const { images } = await store.statistics();
for (let number = images; ; number += 1) {
  await store.saveCapture(capture(`n${number % 5}.example`, number + 1, `image ${number}`));
  if (number % 7 === 6) await store.pruneImages(number - 20);
  process.stdout.write(`${number}\n`);
}
