/** Reads lines of the feed of the hotlist into its collection, which all accounts share. */
import type { Clock } from '../../model/clock.ts';
import type { FeedRecord } from '../../model/feed/feed.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { Author, SharingStore } from '../../store/detect/sharing-store.ts';
import { scanLines } from '../../store/stream/scan-lines.ts';
import type { Offset, StreamStore } from '../../store/stream-store.ts';

export interface HotLineNeeds {
  readonly sharing: Pick<SharingStore, 'hotlistOffset' | 'addHotDomains'>;
  readonly streams: Pick<StreamStore, 'findState' | 'openRange'>;
  readonly clock: Clock;
}

const stream = feedStream('domainhotlist');

/** Some hundred lines: one transaction. */
const bytesPerStep = 32_768;

export async function isHotlistBehind({ sharing, streams }: HotLineNeeds): Promise<boolean> {
  return (await sharing.hotlistOffset()) < ((await streams.findState(stream))?.end ?? 0);
}

export async function addHotLines(author: Author, needs: HotLineNeeds): Promise<void> {
  const { sharing, clock } = needs;
  const from = await sharing.hotlistOffset();
  const { lines, to } = await readLines(from, needs);
  if (to > from) await sharing.addHotDomains(lines, { from, to }, author, clock.now());
}

async function readLines(
  from: Offset,
  { streams }: HotLineNeeds,
): Promise<{ readonly lines: readonly FeedRecord<'domainhotlist'>[]; readonly to: Offset }> {
  const end = (await streams.findState(stream))?.end ?? 0;
  const range = end > from ? await streams.openRange(stream, from, end) : undefined;
  // Pruned before anybody read it.
  if (!range) return { lines: [], to: end };
  try {
    for await (const { bytes, end: to } of scanLines(range, { bytesMax: bytesPerStep })) {
      const texts = Buffer.from(bytes).toString('utf8').trimEnd().split('\n');
      return { lines: texts.map((text) => JSON.parse(text) as FeedRecord<'domainhotlist'>), to };
    }
    return { lines: [], to: end };
  } finally {
    await range.close();
  }
}
