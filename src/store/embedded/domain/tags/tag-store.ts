/** Tags as part of the domain store: which thread does what, in batches that keep transactions short. */
import type { WorkerClient } from '../../../../concurrency/worker-client.ts';
import type { TagStore } from '../../../domain/tag-store.ts';
import type { DomainCalls } from '../domain-calls.ts';
import type { TaggedDomains } from './tagged-domains.ts';

/** Tags of domains that one transaction adds or removes. */
const taggedBatchSize = 500;
/** Rows of merged and deleted tags that one transaction moves or removes: a few milliseconds. */
const sweptBatchSize = 200;
const sweptMax = 50_000;

type Threads = Pick<WorkerClient<DomainCalls, 'write' | 'quick' | 'slow'>, 'run' | 'on'>;

/** `read` yields to the event loop between domains. */
export function tagStore(
  threads: Threads,
  tagged: TaggedDomains,
  read: <Result>(domains: readonly string[], one: (domain: string) => Result) => Promise<readonly Result[]>,
): TagStore {
  const findTag = threads.on('quick', 'findTag');
  return {
    async changeTags(domains, { add, remove }, by) {
      const size = Math.max(1, Math.floor(taggedBatchSize / Math.max(1, add.length + remove.length)));
      let known = 0;
      for (let start = 0; start < domains.length; start += size) {
        const change = { domains: domains.slice(start, start + size), add, remove, by };
        known += await threads.run('write', 'tag', change);
      }
      return known;
    },

    async tagsOf(domains, reader) {
      if (!tagged.accountHasTags(reader)) return domains.map(() => []);
      return read(domains, (domain) => tagged.tagsOf(domain, reader));
    },
    listTags: threads.on('quick', 'listTags'),
    averageRisksOfTags: threads.on('quick', 'averageRisksOfTags'),

    async changeTag(id, change, reader) {
      const before = await findTag(id, reader);
      const result = await threads.run('write', 'changeTag', id, change, reader);
      if (result.outcome === 'missing' || !before) return { outcome: 'missing' };
      const tag = await findTag(result.id, reader);
      if (!tag) return { outcome: 'missing' };
      if (result.outcome === 'merged') return { outcome: 'changed', tag, moved: before.domains };
      return { outcome: result.outcome, tag };
    },

    async deleteTag(id, reader) {
      const before = await findTag(id, reader);
      const isDeleted = before && (await threads.run('write', 'deleteTag', id, reader));
      return isDeleted ? before.domains : undefined;
    },

    listTaggedDomains: threads.on('quick', 'listTaggedDomains'),
    listTagOverlap: threads.on('slow', 'listTagOverlap'),

    async sweepTags(nowMs) {
      if (!tagged.hasTags()) return;
      for (let swept = 0; swept < sweptMax; swept += sweptBatchSize)
        if (!(await threads.run('write', 'sweepTags', nowMs, sweptBatchSize))) return;
    },
  };
}
