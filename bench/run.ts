/** `npm run bench [-- NAME …]`: each benchmark prints its figures as ratios against a peer in the same run. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`unknown benchmark ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : known) {
  const { bench } = (await import(join(import.meta.dirname, `${name}.bench.ts`))) as {
    bench: () => Promise<void>;
  };
  console.log(`\n## ${name}`);
  await bench();
}
