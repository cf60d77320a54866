/**
 * The world as a process of its own: `node world/main.ts '{"seed":1,…}'`. The first line that it prints leads into it; every further one is
 * something that happened. It ends on SIGTERM, and with its parent: when standard input is closed, or its standard output has no reader.
 */
import { startWorld } from './start-world.ts';
import type { WorldOptions } from './world.ts';

const usage = 'usage: node world/main.ts \'{"seed":1,"domains":1000,…}\', with the members of WorldOptions';

/** From the beginning, so that it ends in good order even when it is stopped while it starts. */
const ended = new Promise<void>((end) => {
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.stdin.once('end', end).once('close', end).once('error', end).resume();
  process.stdout.once('error', end);
});

async function run(text: string | undefined): Promise<void> {
  if (text === undefined) throw new Error(usage);
  const world = await startWorld(JSON.parse(text) as WorldOptions, Date.now);
  const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  print({ ready: true, settings: world.settings, brands: world.brands, ownDomains: world.ownDomains });
  world.follow(print);
  await ended;
  await world.close();
}

try {
  await run(process.argv[2]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
process.stdin.destroy();
