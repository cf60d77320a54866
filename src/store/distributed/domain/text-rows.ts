/** Texts that are searched: values by part of their text, and the words of WHOIS records. */
import { crc32 } from 'node:zlib';
import { type Attribute, containsAttributes } from '../../../model/record/condition.ts';
import { foldedText, type ValueKey } from '../../domain/value-keys.ts';
import { digestOfWords, wordsOf } from '../../domain/words.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Transaction } from '../postgres/database.ts';
import { arrayText } from './array-texts.ts';
import { inBatches } from './in-batches.ts';

/** Names are found by the names themselves. */
export const nameAttribute: Attribute = 'domain';

const substringAttributes: ReadonlySet<Attribute> = new Set(
  containsAttributes.filter((attribute) => attribute !== nameAttribute),
);

/** WHOIS texts that one statement writes: a few milliseconds of ours. */
const batchTexts = 100;

/** Whether values of the attribute are found by part of their text. */
export function isSubstringAttribute(attribute: Attribute): boolean {
  return substringAttributes.has(attribute);
}

/** Hashes of the distinct words: candidates have all of them, and are then compared word by word. */
export function termsOf(words: string): readonly number[] {
  return [...new Set(words.split(' ').map((word) => crc32(word) | 0))];
}

interface PastText {
  readonly id: DomainId;
  readonly digest: Buffer;
  readonly words: string;
}

/** Collects the texts of one transaction. */
export class TextChanges {
  readonly #values = new Map<ValueKey, { attribute: Attribute; folded: string }>();
  /** Words of the latest text; empty where there is none. */
  readonly #latest = new Map<DomainId, string>();
  readonly #past = new Map<string, PastText>();

  addValue(key: ValueKey, attribute: Attribute, value: string): void {
    if (!isSubstringAttribute(attribute) || this.#values.has(key)) return;
    this.#values.set(key, { attribute, folded: foldedText(value) });
  }

  replaceWhois(id: DomainId, before: string | undefined, after: string | undefined): void {
    if (before === after) return;
    const [previous, current] = [wordsOf(before ?? ''), wordsOf(after ?? '')];
    if (previous === current) return;
    if (previous !== '') this.addPast(id, previous);
    this.setLatest(id, current);
  }

  setLatest(id: DomainId, words: string): void {
    this.#latest.set(id, words);
  }

  addPast(id: DomainId, words: string): void {
    const digest = digestOfWords(words);
    this.#past.set(`${id} ${digest.toString('hex')}`, { id, digest, words });
  }

  async flush(sql: Transaction): Promise<void> {
    await Promise.all([this.#putValues(sql), this.#putLatest(sql), this.#putPast(sql)]);
  }

  async #putValues(sql: Transaction): Promise<void> {
    if (this.#values.size === 0) return;
    const values = [...this.#values.values()];
    await sql`insert into record_text_value (key, attribute, folded)
      select * from unnest(${arrayText([...this.#values.keys()])}::bigint[],
        ${values.map(({ attribute }) => attribute)}::text[], ${values.map(({ folded }) => folded)}::text[])
      on conflict (key) do nothing`;
  }

  async #putLatest(sql: Transaction): Promise<void> {
    const put = [...this.#latest].filter(([, words]) => words !== '');
    const gone = [...this.#latest].filter(([, words]) => words === '').map(([id]) => id);
    if (gone.length > 0) await sql`delete from record_whois where id = any(${gone}::int[])`;
    await inBatches(
      put,
      batchTexts,
      (some) => sql`insert into record_whois (id, words, terms)
        select id, words, terms::int[] from unnest(${some.map(([id]) => id)}::int[], ${some.map(([, words]) => words)}::text[],
          ${some.map(([, words]) => arrayText(termsOf(words)))}::text[]) as given (id, words, terms)
        on conflict (id) do update set words = excluded.words, terms = excluded.terms`,
    );
  }

  #putPast(sql: Transaction): Promise<void> {
    return inBatches(
      [...this.#past.values()],
      batchTexts,
      (some) => sql`insert into record_past_whois (domain_id, digest, words, terms)
        select domain_id, digest, words, terms::int[] from unnest(${some.map(({ id }) => id)}::int[],
          ${some.map(({ digest }) => digest)}::bytea[], ${some.map(({ words }) => words)}::text[],
          ${some.map(({ words }) => arrayText(termsOf(words)))}::text[]) as given (domain_id, digest, words, terms)
        on conflict do nothing`,
    );
  }
}
