/** After an import: publishes the new observations, unless a running server does. */

import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { publishObservations } from '../../pipeline/publishing/publish-observations.ts';
import { sightingConsumer } from '../../pipeline/publishing/sighting-consumer.ts';
import type { NewlyObservedCounts } from '../../store/rrset-store.ts';
import type { Stores } from '../../stores.ts';

interface PublishImportedNeeds extends Pick<Stores, 'rrsets' | 'streams' | 'sightings' | 'jobs'> {
  readonly settings: Settings;
  readonly clock: Clock;
}

/** What was new in the import, whichever process published it. */
export async function publishImported(
  importId: string,
  { rrsets, streams, sightings, jobs, settings, clock }: PublishImportedNeeds,
): Promise<NewlyObservedCounts> {
  // Observations that arrive from now on are not part of this import, and might never end.
  const upToSequence = (await rrsets.findUnpublished())?.greatestSequence ?? 0;
  const sighted = sightingConsumer({ sightings, jobs, clock, settings });
  await publishObservations({ rrsets, streams, clock, settings, sighted }, { upToSequence });
  return rrsets.countNewlyObserved(importId);
}
