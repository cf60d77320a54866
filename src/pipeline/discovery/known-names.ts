/**
 * All known names: those from feeds, and those of records, which may have come without a feed. Names that only the history of passive DNS has are
 * not included, because a scan of all of it would take far too long.
 */
import { namesStream } from '../../model/stream-names.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import { logStart } from '../../store/paging/log-position.ts';
import { scanLines } from '../../store/stream/scan-lines.ts';
import type { StreamStore } from '../../store/stream-store.ts';

export interface KnownNamesNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'openRange'>;
  readonly domains: Pick<DomainStore, 'countNames' | 'listNames'>;
}

const sliceBytes = 131_072;
const pageNames = 4000;

/** Approximately the number of names in a scan. */
export async function countKnownNames({ streams, domains }: KnownNamesNeeds): Promise<number> {
  const state = await streams.findState(namesStream);
  return (state?.lines ?? 0) + (await domains.countNames());
}

/** One name per line, some of them twice; everything that is known when the scan begins. */
export async function* scanKnownNames(needs: KnownNamesNeeds): AsyncGenerator<Uint8Array, void, undefined> {
  const { streams, domains } = needs;
  const state = await streams.findState(namesStream);
  const range = state && (await streams.openRange(namesStream, state.start, state.end));
  try {
    if (range) for await (const { bytes } of scanLines(range, { bytesMax: sliceBytes })) yield bytes;
  } finally {
    await range?.close();
  }
  for (let position = logStart; ; ) {
    const page = await domains.listNames(position, pageNames);
    if (page.names.length === 0) return;
    yield new TextEncoder().encode(`${page.names.join('\n')}\n`);
    position = page.position;
  }
}
