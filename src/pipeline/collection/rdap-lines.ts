/** Lines of the `domainrdap` feed, for a record whose registration is new or has changed. */
import { isDeepStrictEqual } from 'node:util';
import type { FeedLine } from '../../collect/collectors/collector.ts';
import type { FeedRecord } from '../../model/feed/feed.ts';
import { lineOf } from '../../model/feed/record-line.ts';
import { secondText } from '../../model/feed/second.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';

/** Responses of registries have some thousands of bytes. */
const lineLengthMax = 1 << 19;

export function rdapLines(
  domain: string,
  lines: readonly FeedLine[],
  nowMs: number,
): { readonly lines: readonly string[]; readonly dropped: number } {
  const timestamp = secondText(Math.floor(nowMs / 1000));
  const all = lines.map(({ feed, record }) => {
    return lineOf(feed, { ...record, timestamp, domain } as FeedRecord<'domainrdap'>);
  });
  const kept = all.filter((line) => line.length <= lineLengthMax);
  return { lines: kept, dropped: all.length - kept.length };
}

/** The time of the fetch is ignored. */
export function isRegistrationNew(stored: DomainRecord | undefined, known: DomainRecord): boolean {
  if (!stored) return true;
  const [before, after] = [stored, known].map((record) => ({
    ...record.parsed_domain_rdap,
    fetched: undefined,
  }));
  return !isDeepStrictEqual(before, after);
}
