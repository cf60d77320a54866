/** All domains of a search, batch after batch: the matches are of one time, the records of the time at which each batch is read. */
import { mapInSlices } from '../../../concurrency/map-in-slices.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { TagReader } from '../../../store/domain/tag-store.ts';
import type { DomainId, DomainStore } from '../../../store/domain-store.ts';

export interface ScannedDomain {
  readonly record: DomainRecord;
  readonly tags: readonly string[];
}

/** A record has up to 256 kilobytes. */
const batchSize = 50;

export async function* scanResults(
  ids: readonly DomainId[],
  viewer: TagReader,
  domains: Pick<DomainStore, 'getRecords' | 'tagsOf'>,
): AsyncGenerator<readonly ScannedDomain[]> {
  for (let from = 0; from < ids.length; from += batchSize) {
    const stored = await domains.getRecords(ids.slice(from, from + batchSize), []);
    const records = await mapInSlices(stored, ({ json }) => JSON.parse(json) as DomainRecord);
    const tags = await domains.tagsOf(
      records.map(({ domain }) => domain),
      viewer,
    );
    yield records.map((record, index) => ({ record, tags: (tags[index] ?? []).map(({ label }) => label) }));
  }
}
