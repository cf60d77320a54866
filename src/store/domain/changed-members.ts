/** Which members of two records differ, apart from when and from where they were fetched. */
import { isDeepStrictEqual } from 'node:util';
import type { DomainRecord } from '../../model/record/domain-record.ts';

type Member = keyof DomainRecord;

const ignored: ReadonlySet<string> = new Set(['sources', 'data_updated_timestamp']);

export function changedMembers(before: DomainRecord, after: DomainRecord): readonly Member[] {
  const members = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<Member>;
  return [...members].filter((member) => !ignored.has(member) && differs(member, before, after));
}

function differs(member: Member, before: DomainRecord, after: DomainRecord): boolean {
  if (JSON.stringify(before[member]) === JSON.stringify(after[member])) return false;
  return !isDeepStrictEqual(comparable(member, before), comparable(member, after));
}

/** Without fetch times and sources; an empty list is the same as an absent one. */
function comparable(member: Member, record: DomainRecord): unknown {
  if (member === 'parsed_whois' || member === 'parsed_domain_rdap') {
    return { ...record[member], fetched: undefined };
  }
  if (member === 'ssl_info') {
    return (record.ssl_info ?? []).map((certificate) => ({ ...certificate, sources: undefined }));
  }
  const value = record[member];
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
