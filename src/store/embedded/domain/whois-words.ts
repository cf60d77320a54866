/**
 * The words of WHOIS texts, latest and past. We make the words ourselves, and the index sees nothing but letters, digits and
 * blanks: it takes nothing for syntax, and both sides agree on what a word is.
 */
import { hash } from 'node:crypto';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { foldedText } from './value-keys.ts';

const pastOfDomain = 2 ** 20;
const triedWords = 8;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, control characters included
const plain = /^[\0-\x7f]*$/;

/** Nearly all texts are plain, and their words are found four times as fast. */
export function wordsOf(text: string): string {
  if (plain.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');
  return (foldedText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ');
}

export class WhoisChanges {
  readonly #put;
  readonly #remove;
  readonly #lastPast;
  readonly #knownPast;
  readonly #notePast;
  readonly #putPast;

  constructor(database: Database) {
    this.#put = database.prepare('insert into whois (rowid, words) values (?, ?)');
    this.#remove = database.prepare('delete from whois where rowid = ?');
    this.#lastPast = database.prepare('select max(id) from past_text where id between ? and ?').pluck();
    this.#knownPast = database
      .prepare('select 1 from past_text where id between ? and ? and digest = ?')
      .pluck();
    this.#notePast = database.prepare('insert into past_text (id, digest) values (?, ?)');
    this.#putPast = database.prepare('insert into past_whois (rowid, words) values (?, ?)');
  }

  change(id: DomainId, before: string | undefined, after: string | undefined): void {
    if (before === after) return;
    const [was, is] = [wordsOf(before ?? ''), wordsOf(after ?? '')];
    if (was === is) return;
    if (was !== '') {
      this.#remove.run(id);
      this.#keepPast(id, was);
    }
    if (is !== '') this.#put.run(id, is);
  }

  #keepPast(id: DomainId, words: string): void {
    const [first, last] = pastSpan(id, id);
    const digest = hash('sha256', words, 'buffer').subarray(0, 16);
    if (this.#knownPast.get(first, last, digest)) return;
    const number = ((this.#lastPast.get(first, last) as number | null) ?? first - 1) + 1;
    if (number > last) return;
    this.#notePast.run(number, digest);
    this.#putPast.run(number, words);
  }
}

function pastSpan(firstId: DomainId, lastId: DomainId): [number, number] {
  return [firstId * pastOfDomain, (lastId + 1) * pastOfDomain - 1];
}

/** A guess: numbers are seldom the same, and long words are rarer than short ones. */
function rarestFirst(phrase: string): readonly string[] {
  const rarity = (word: string) => word.length + (/\d/.test(word) ? 100 : 0);
  return [...new Set(phrase.split(' '))].sort((left, right) => rarity(right) - rarity(left));
}

/** Words of a phrase in their order, the rarest if there are many; undefined where they are not plain. */
export function plainWordsOf(phrase: string): readonly string[] | undefined {
  if (!plain.test(phrase)) return undefined;
  const rarest = new Set(rarestFirst(phrase).slice(0, 3));
  return [...new Set(phrase.split(' '))].filter((word) => rarest.has(word));
}

export interface FoundIds {
  readonly ids: readonly DomainId[];
  readonly areAll: boolean;
}

/** Finds a phrase, once it has been made of `wordsOf`. */
export class WhoisReader {
  readonly #latest;
  readonly #past;

  constructor(database: Database) {
    const find = (table: string) =>
      database
        .prepare(`select rowid from ${table} where ${table} match ? and rowid between ? and ? limit ?`)
        .pluck();
    this.#latest = find('whois');
    this.#past = find('past_whois');
  }

  /** Domains that have a rare word of the phrase, and so perhaps the phrase; undefined where many have each. Few need not be fewer. */
  findRare(
    over: 'latest' | 'history',
    phrase: string,
    lastId: DomainId,
    { few, many }: { readonly few: number; readonly many: number },
  ): readonly DomainId[] | undefined {
    let rarest: readonly DomainId[] | undefined;
    for (const word of rarestFirst(phrase).slice(0, triedWords)) {
      const { ids, areAll } = this.find(over, word, [0, lastId], (rarest?.length ?? many) + 1);
      if (areAll) rarest = ids;
      if (rarest && rarest.length <= few) break;
    }
    return rarest;
  }

  /** Ids in order. With a limit it may not be all of them. */
  find(
    over: 'latest' | 'history',
    phrase: string,
    [firstId, lastId]: readonly [DomainId, DomainId],
    limit = -1,
  ): FoundIds {
    const quoted = `"${phrase}"`;
    const latest = this.#latest.all(quoted, firstId, lastId, limit) as DomainId[];
    if (over === 'latest') return { ids: latest, areAll: latest.length !== limit };
    const past = this.#past.all(quoted, ...pastSpan(firstId, lastId), limit) as number[];
    const areAll = latest.length !== limit && past.length !== limit;
    if (past.length === 0) return { ids: latest, areAll };
    const ids = new Set([...latest, ...past.map((number) => Math.floor(number / pastOfDomain))]);
    return { ids: [...ids].sort((left, right) => left - right), areAll };
  }
}
