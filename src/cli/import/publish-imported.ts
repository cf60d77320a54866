/** After an import: publishes the new observations, unless a running server does. */

import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { publishObservations } from '../../pipeline/publishing/publish-observations.ts';
import type { Stores } from '../../stores.ts';

/** What this process published; a running server may have published more. */
export interface PublishedCounts {
  readonly domains: number;
  readonly hosts: number;
}

export async function publishImported(
  { rrsets, streams }: Pick<Stores, 'rrsets' | 'streams'>,
  settings: Settings,
  clock: Clock,
): Promise<PublishedCounts> {
  const published = { domains: 0, hosts: 0 };
  // Observations that arrive from now on are not part of this import, and might never end.
  const upToSequence = (await rrsets.findUnpublished())?.greatestSequence ?? 0;
  const onPublished = ({ domains, hosts }: PublishedCounts) => {
    published.domains += domains;
    published.hosts += hosts;
  };
  await publishObservations({ rrsets, streams, clock, settings }, { upToSequence, onPublished });
  return published;
}
