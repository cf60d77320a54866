/** Queries of texts: names and values by a part of them, WHOIS records by a phrase. An index gives candidates, and the same statement compares their texts. */
import { mapInSlices } from '../../../../concurrency/map-in-slices.ts';
import type { Attribute } from '../../../../model/record/condition.ts';
import type { DomainRecord } from '../../../../model/record/domain-record.ts';
import { indexedValuesOf } from '../../../domain/indexed-values.ts';
import { foldedText, type ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Fragment, Transaction } from '../../postgres/database.ts';
import { findTexts } from '../record-rows.ts';
import { termsOf } from '../text-rows.ts';
import { listedMax, type TextSearch } from './text-source.ts';

type IdRows = readonly { readonly id: DomainId }[];

const idsOf = (rows: IdRows): readonly DomainId[] => rows.map(({ id }) => id);

/** A pattern of `like` for texts that contain this one. */
function patternOf(substring: string): string {
  return `%${substring.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** As a literal: for a limit that it does not know the planner expects to find enough by reading the whole table. */
const atMostListed = (sql: Transaction) => sql.unsafe(`limit ${listedMax}`);

/** By a part of the name. */
export function nameSearch(sql: Transaction, substring: string): TextSearch {
  const pattern = patternOf(substring);
  const select = () => sql`select id from record_domain where lower(name) like ${pattern}`;
  return {
    among: async (ids) => idsOf(await sql<{ id: DomainId }[]>`${select()} and id = any(${ids}::int[])`),
    list: async () => idsOf(await sql<{ id: DomainId }[]>`${select()} ${atMostListed(sql)}`),
    between: async (first, last) =>
      idsOf(await sql<{ id: DomainId }[]>`${select()} and id between ${first} and ${last}`),
  };
}

/** By the words of a phrase, in the latest WHOIS record or in any. */
export function whoisSearch(sql: Transaction, phrase: string, over: 'latest' | 'history'): TextSearch {
  const terms = termsOf(phrase);
  const hasPhrase = () => sql`terms @> ${terms}::int[] and strpos(' ' || words || ' ', ${` ${phrase} `}) > 0`;
  const selectLatest = () => sql`select id from record_whois where ${hasPhrase()}`;
  const selectPast = () => sql`select domain_id as id from record_past_whois where ${hasPhrase()}`;
  const find = async (ofLatest: Fragment, ofPast: Fragment) => {
    const latest = await sql<{ id: DomainId }[]>`${selectLatest()} ${ofLatest}`;
    if (over === 'latest') return idsOf(latest);
    const past = await sql<{ id: DomainId }[]>`${selectPast()} ${ofPast}`;
    return [...new Set(idsOf([...latest, ...past]))];
  };
  return {
    among: (ids) => find(sql`and id = any(${ids}::int[])`, sql`and domain_id = any(${ids}::int[])`),
    list: () => find(atMostListed(sql), sql`group by domain_id ${atMostListed(sql)}`),
    between: (first, last) =>
      find(sql`and id between ${first} and ${last}`, sql`and domain_id between ${first} and ${last}`),
  };
}

/** The values of an attribute that contain a text. */
export async function keysContaining(
  sql: Transaction,
  attribute: Attribute,
  substring: string,
): Promise<readonly ValueKey[]> {
  const rows = await sql<{ key: string }[]>`select key::text from record_text_value
    where attribute = ${attribute} and folded like ${patternOf(substring)}`;
  return rows.map(({ key }) => BigInt(key));
}

/** Those of these domains whose record has a value of the attribute that contains the text. */
export async function recordsContaining(
  sql: Transaction,
  ids: readonly DomainId[],
  attribute: Attribute,
  substring: string,
): Promise<readonly DomainId[]> {
  const texts = await findTexts(sql, ids);
  const matches = await mapInSlices(ids, (id) =>
    indexedValuesOf(JSON.parse(texts.get(id) as string) as DomainRecord).some(
      (one) => one.attribute === attribute && foldedText(one.value).includes(substring),
    ),
  );
  return ids.filter((_, at) => matches[at]);
}
