/** Stores with news to tell, and what has been told. */
import type { TestContext } from 'node:test';
import { tellNews } from '../../src/collect/news/tell-news.ts';
import { readConfig } from '../../src/config.ts';
import type { Rrset } from '../../src/model/dns/rrset.ts';
import { openRrsetStore } from '../../src/store/embedded/rrset-store.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import type { RrsetStore } from '../../src/store/rrset-store.ts';
import type { StreamStore } from '../../src/store/stream-store.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { TestClock } from './test-clock.ts';

const { settings } = readConfig({ environment: {}, flags: {} });

export interface NewsWorld {
  readonly directory: string;
  readonly clock: TestClock;
  readonly rrsets: RrsetStore;
  readonly streams: StreamStore;
  readonly settings: typeof settings;
  close(): Promise<void>;
}

/** A process with its stores; several on one directory stand for several processes. */
export function openNewsWorld(directory: string, clock = new TestClock()): NewsWorld {
  const rrsets = openRrsetStore(directory, clock);
  const streams = openStreamStore(directory);
  const close = async () => {
    await streams.close();
    await rrsets.close();
  };
  return { directory, clock, rrsets, streams, settings, close };
}

export function newsWorld(t: TestContext): NewsWorld {
  const world = openNewsWorld(temporaryDirectory(t));
  t.after(() => world.close());
  return world;
}

export async function recordNews(rrsets: RrsetStore, observations: readonly Rrset[]): Promise<void> {
  const intake = await rrsets.openIntake({ news: true });
  for (const observation of observations) await intake.add(observation);
  await intake.flush();
}

/** Takes in a batch and tells what is new in it. */
export async function seeAndTell(world: NewsWorld, observations: readonly Rrset[]): Promise<void> {
  await recordNews(world.rrsets, observations);
  await tellNews(world);
}

/** Everything that a stream holds. */
export async function linesIn(streams: StreamStore, stream: string): Promise<string[]> {
  const state = await streams.findState(stream);
  const range = state && (await streams.openRange(stream, state.start, state.end));
  const pieces: Buffer[] = [];
  for await (const piece of range?.read() ?? []) pieces.push(Buffer.from(piece));
  await range?.close();
  return Buffer.concat(pieces).toString().split('\n').filter(Boolean);
}

/** The names that a feed carries. */
export async function fed(streams: StreamStore, feed: string): Promise<string[]> {
  return (await linesIn(streams, `feed-${feed}`)).map((line) => JSON.parse(line).domain);
}
