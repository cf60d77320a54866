/** Stores of names and streams in a temporary directory, with an intake, and what was told. */
import type { TestContext } from 'node:test';
import { openNameIntake } from '../../src/collect/sources/name-intake.ts';
import type { NameIntake } from '../../src/collect/sources/source.ts';
import { tellDiscoveries } from '../../src/collect/sources/tell-discoveries.ts';
import { openNameStore } from '../../src/store/embedded/name-store.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import type { NameStore } from '../../src/store/name-store.ts';
import type { StreamStore } from '../../src/store/stream-store.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { TestClock } from './test-clock.ts';
import { fed, linesIn } from './told.ts';

export interface NameWorld {
  readonly directory: string;
  readonly names: NameStore;
  readonly streams: StreamStore;
  readonly clock: TestClock;
  readonly intake: NameIntake;
  /** Domains that were told, once everything is, in their order. */
  readonly told: () => Promise<string[]>;
  /** Host names that were handed on to whoever matches. */
  readonly hosts: () => Promise<string[]>;
}

export function nameWorld(t: TestContext, directory = temporaryDirectory(t)): NameWorld {
  const [names, streams, clock] = [openNameStore(directory), openStreamStore(directory), new TestClock()];
  t.after(async () => {
    await names.close();
    await streams.close();
  });
  return {
    directory,
    names,
    streams,
    clock,
    intake: openNameIntake({ names, streams, clock }),
    told: async () => {
      await tellDiscoveries({ names, streams, clock });
      return fed(streams, 'domaindiscovery');
    },
    hosts: async () => (await linesIn(streams, 'hosts')).map((line) => JSON.parse(line).domain as string),
  };
}
