/** The tags of domains. */
import type { TagStore } from '../../../domain/tag-store.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { PostgresDatabase, Transaction } from '../../postgres/database.ts';
import { noteChange } from '../record-state.ts';
import { changeTag, deleteTag, sweepTags } from './tag-changes.ts';
import { definitionsOf, findTag, listTagRows } from './tag-rows.ts';
import { domainsOfTag, listDomains, overlapOf, tagsOfDomains } from './tagged-domains.ts';
import { changeTagsOf, lockTags } from './tagging.ts';

/** Tags of domains that one transaction adds or removes. */
const taggedBatchSize = 5000;
/** Rows of merged and deleted tags that one transaction moves or removes. */
const sweptBatchSize = 1000;
const sweptMax = 50_000;

/** The domains, in whichever shard. */
export interface Directory {
  /** Of those that have a record, by name. */
  findIds(names: readonly string[]): Promise<ReadonlyMap<string, DomainId>>;
  /** In the order of the ids, which exist. */
  namesOf(ids: readonly DomainId[]): Promise<readonly string[]>;
  averageRiskOf(ids: readonly DomainId[]): Promise<number | undefined>;
}

export function tagStore(database: PostgresDatabase, directory: Directory): TagStore {
  const write = <Result>(work: (sql: Transaction) => Promise<Result>) =>
    database.write(async (sql) => {
      const result = await work(sql);
      await noteChange(sql);
      return result;
    });

  return {
    async changeTags(domains, { add, remove }, by) {
      const size = Math.max(1, Math.floor(taggedBatchSize / Math.max(1, add.length + remove.length)));
      const ids = [...(await directory.findIds(domains)).values()];
      for (let start = 0; start < ids.length; start += size) {
        const change = { domains: ids.slice(start, start + size), add, remove, by };
        await write((sql) => changeTagsOf(sql, change));
      }
      return ids.length;
    },

    async tagsOf(domains, reader) {
      const ids = await directory.findIds(domains);
      const tags = await database.read((sql) => tagsOfDomains(sql, [...ids.values()], reader));
      return domains.map((domain) => tags.get(ids.get(domain) ?? 0) ?? []);
    },

    listTags: (reader, limit) =>
      database.snapshot(async (sql) => definitionsOf(sql, await listTagRows(sql, reader, limit))),

    async averageRisksOfTags(ids) {
      const averages: (number | undefined)[] = [];
      for (const id of ids) {
        const domains = await database.read((sql) => domainsOfTag(sql, Number(id)));
        averages.push(await directory.averageRiskOf(domains));
      }
      return averages;
    },

    changeTag: (id, change, reader) =>
      write(async (sql) => {
        await lockTags(sql, reader.accountId);
        const row = await findTag(sql, id, reader);
        const [before] = row ? await definitionsOf(sql, [row]) : [];
        const result = await changeTag(sql, id, change, reader);
        if (result.outcome === 'missing' || !before) return { outcome: 'missing' };
        const after = await findTag(sql, result.id, reader);
        const [tag] = after ? await definitionsOf(sql, [after]) : [];
        if (!tag) return { outcome: 'missing' };
        if (result.outcome === 'merged') return { outcome: 'changed', tag, moved: before.domains };
        return { outcome: result.outcome, tag };
      }),

    deleteTag: (id, reader) =>
      write(async (sql) => {
        await lockTags(sql, reader.accountId);
        const row = await findTag(sql, id, reader);
        const [before] = row ? await definitionsOf(sql, [row]) : [];
        return before && (await deleteTag(sql, id, reader)) ? before.domains : undefined;
      }),

    async listTaggedDomains(label, reader, page) {
      const ids = await database.snapshot((sql) => listDomains(sql, label, reader, page));
      const next = ids.length === page.limit ? String(ids.at(-1)) : undefined;
      return { domains: await directory.namesOf(ids), next };
    },

    listTagOverlap: (label, reader, limits) =>
      database.snapshot((sql) => overlapOf(sql, label, reader, limits)),

    async sweepTags(nowMs) {
      for (let swept = 0; swept < sweptMax; swept += sweptBatchSize)
        if (!(await database.write((sql) => sweepTags(sql, nowMs, sweptBatchSize)))) return;
    },
  };
}
