import { startWorld } from '../../../world/start-world.ts';
import type { World } from '../../../world/world.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TestScope } from '../test-scope.ts';

/** A simulated Internet in which nothing happens but what the test does. */
export async function smallWorld(scope: TestScope): Promise<World> {
  const directory = temporaryDirectory(scope);
  const story = { seed: 24, domains: 40, startMs: Date.now(), speed: 1, eventsPerHour: 0, hostile: false };
  const world = await startWorld({ ...story, directory }, Date.now);
  scope.after(() => world.close());
  return world;
}
