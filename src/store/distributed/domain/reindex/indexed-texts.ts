/** Which texts of some domains are indexed. */
import type { ValueKey } from '../../../domain/value-keys.ts';
import { digestOfWords } from '../../../domain/words.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';

export interface IndexedTexts {
  /** Values that are found by part of their text. */
  readonly values: ReadonlySet<ValueKey>;
  /** Digests of the words of the latest text. */
  readonly latest: ReadonlyMap<DomainId, string>;
  /** The id and the digest of past texts. */
  readonly past: ReadonlySet<string>;
}

export async function readIndexedTexts(
  sql: Transaction,
  ids: readonly DomainId[],
  keys: readonly ValueKey[],
): Promise<IndexedTexts> {
  const [values, latest, past] = await Promise.all([
    sql<{ key: string }[]>`
      select key::text from record_text_value where key = any(${keys.map(String)}::bigint[])`,
    sql<{ id: DomainId; words: string }[]>`
      select id, words from record_whois where id = any(${ids}::int[])`,
    sql<{ id: DomainId; digest: string }[]>`
      select domain_id as id, encode(digest, 'hex') as digest from record_past_whois where domain_id = any(${ids}::int[])`,
  ]);
  return {
    values: new Set(values.map(({ key }) => BigInt(key))),
    latest: new Map(latest.map(({ id, words }) => [id, digestOfWords(words).toString('hex')])),
    past: new Set(past.map(({ id, digest }) => `${id} ${digest}`)),
  };
}
