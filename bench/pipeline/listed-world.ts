/** A simulated Internet that stands still, for a server that reads its domains from a list and collects them. */
import { WorldClock } from '../../world/clock.ts';
import { Story } from '../../world/story/story.ts';
import type { BenchContext } from '../harness/benchmark.ts';
import { startWorldProcess } from './world-process.ts';

export interface ListedWorld {
  /** With which collectors find their way into it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly domains: readonly string[];
}

export async function startListedWorld(
  directory: string,
  count: number,
  { after }: Pick<BenchContext, 'after'>,
): Promise<ListedWorld> {
  const options = {
    seed: 7,
    domains: count,
    startMs: Date.now(),
    speed: 0,
    eventsPerHour: 0,
    hostile: false,
  };
  const world = await startWorldProcess({ ...options, directory });
  after(() => world.stop());
  // The same world, to know what is in it.
  const { view } = new Story(options, new WorldClock({ ...options, machineNow: () => Date.now() }));
  return {
    settings: Object.fromEntries(
      Object.entries(world.settings).filter(([key]) => key.startsWith('collect.')),
    ),
    domains: [...new Set([...view.domains()].map(({ name }) => name))],
  };
}
