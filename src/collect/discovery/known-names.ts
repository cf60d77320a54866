/**
 * Every name that is known: those that feeds have brought, and those of records, which may have come without a feed. Names that
 * only the history of passive DNS has are not among them: to walk over all of it is no matter of seconds.
 */
import { namesStream } from '../../model/stream-names.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import { scanLines } from '../../store/line-slices.ts';
import type { StreamStore } from '../../store/stream-store.ts';

export interface KnownNamesNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'openRange'>;
  readonly domains: Pick<DomainStore, 'countNames' | 'listNames'>;
}

const sliceBytes = 131_072;
const pageNames = 4000;

/** About as many as a scan gives. */
export async function countKnownNames({ streams, domains }: KnownNamesNeeds): Promise<number> {
  const state = await streams.findState(namesStream);
  return (state?.lines ?? 0) + (await domains.countNames());
}

/** One in a line, some of them twice; with everything that is known when the scan begins. */
export async function* scanKnownNames(needs: KnownNamesNeeds): AsyncGenerator<Uint8Array, void, undefined> {
  const { streams, domains } = needs;
  const state = await streams.findState(namesStream);
  const range = state && (await streams.openRange(namesStream, state.start, state.end));
  try {
    if (range) for await (const { bytes } of scanLines(range, { bytesMax: sliceBytes })) yield bytes;
  } finally {
    await range?.close();
  }
  for (let place = 0; ; ) {
    const page = await domains.listNames(place, pageNames);
    if (page.names.length === 0) return;
    yield new TextEncoder().encode(`${page.names.join('\n')}\n`);
    place = page.place;
  }
}
