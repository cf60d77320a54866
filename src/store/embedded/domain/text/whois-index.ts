/**
 * The full-text index (SQLite FTS5) of WHOIS records, latest and past. Texts are tokenized here, for storing and for querying alike:
 * FTS5 sees nothing but letters, digits and spaces, and so never any query syntax.
 */
import type { WhoisDifference } from '../../../domain/index-difference.ts';
import { digestOfWords, rarestFirst, wordsOf } from '../../../domain/words.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';

/** Row ids of past texts: the domain id times this, plus a number. */
const pastTextsMax = 2 ** 20;
const triedWords = 8;

export class WhoisIndexChanges {
  readonly #known;
  readonly #put;
  readonly #remove;
  readonly #lastPast;
  readonly #knownPast;
  readonly #putDigest;
  readonly #putPast;

  constructor(database: Database) {
    this.#known = database.prepare('select 1 from whois where rowid = ?').pluck();
    this.#put = database.prepare('insert into whois (rowid, words) values (?, ?)');
    this.#remove = database.prepare('delete from whois where rowid = ?');
    this.#lastPast = database.prepare('select max(id) from past_text where id between ? and ?').pluck();
    this.#knownPast = database
      .prepare('select 1 from past_text where id between ? and ? and digest = ?')
      .pluck();
    this.#putDigest = database.prepare('insert into past_text (id, digest) values (?, ?)');
    this.#putPast = database.prepare('insert into past_whois (rowid, words) values (?, ?)');
  }

  /** Of a domain without any text. */
  add(id: DomainId, words: string): void {
    if (words !== '') this.#put.run(id, words);
  }

  replace(id: DomainId, before: string | undefined, after: string | undefined): void {
    if (before === after) return;
    const [previous, current] = [wordsOf(before ?? ''), wordsOf(after ?? '')];
    if (previous === current) return;
    if (previous !== '') {
      this.#remove.run(id);
      this.#addPast(id, previous);
    }
    if (current !== '') this.#put.run(id, current);
  }

  /** Compares which texts are indexed; the index does not store their words. Undefined where it has all of them. */
  compare(
    id: DomainId,
    latest: string | undefined,
    past: readonly (string | undefined)[],
  ): WhoisDifference | undefined {
    const words = wordsOf(latest ?? '');
    const isRight = (this.#known.get(id) !== undefined) === (words !== '');
    const missing = [...new Set(past.map((text) => wordsOf(text ?? '')))].filter(
      // A text that is the latest again is found as such.
      (one) => one !== '' && one !== words && !this.#isPast(id, digestOfWords(one)),
    );
    if (isRight && missing.length === 0) return undefined;
    return { latest: isRight ? undefined : words, past: missing };
  }

  apply(id: DomainId, { latest, past }: WhoisDifference): void {
    if (latest === '') this.#remove.run(id);
    else if (latest !== undefined) this.#put.run(id, latest);
    for (const words of past) this.#addPast(id, words);
  }

  #isPast(id: DomainId, digest: Buffer): boolean {
    return this.#knownPast.get(...pastRange(id, id), digest) !== undefined;
  }

  #addPast(id: DomainId, words: string): void {
    const [first, last] = pastRange(id, id);
    const digest = digestOfWords(words);
    if (this.#isPast(id, digest)) return;
    const number = ((this.#lastPast.get(first, last) as number | null) ?? first - 1) + 1;
    if (number > last) return;
    this.#putDigest.run(number, digest);
    this.#putPast.run(number, words);
  }
}

function pastRange(firstId: DomainId, lastId: DomainId): [number, number] {
  return [firstId * pastTextsMax, (lastId + 1) * pastTextsMax - 1];
}

export interface FoundIds {
  readonly ids: readonly DomainId[];
  readonly isComplete: boolean;
}

/** Searches for phrases that were tokenized by `wordsOf`. */
export class WhoisIndexReader {
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

  /**
   * Candidates: the domains with the rarest word of the phrase; undefined where every word has more than `many`. Stops at the first
   * word with at most `few`.
   */
  findRare(
    over: 'latest' | 'history',
    phrase: string,
    lastId: DomainId,
    { few, many }: { readonly few: number; readonly many: number },
  ): readonly DomainId[] | undefined {
    let rarest: readonly DomainId[] | undefined;
    for (const word of rarestFirst(phrase).slice(0, triedWords)) {
      const { ids, isComplete } = this.find(over, word, [0, lastId], (rarest?.length ?? many) + 1);
      if (isComplete) rarest = ids;
      if (rarest && rarest.length <= few) break;
    }
    return rarest;
  }

  /** Ids in order; with a limit possibly not all of them. */
  find(
    over: 'latest' | 'history',
    phrase: string,
    [firstId, lastId]: readonly [DomainId, DomainId],
    limit = -1,
  ): FoundIds {
    const quoted = `"${phrase}"`;
    const latest = this.#latest.all(quoted, firstId, lastId, limit) as DomainId[];
    if (over === 'latest') return { ids: latest, isComplete: latest.length !== limit };
    const past = this.#past.all(quoted, ...pastRange(firstId, lastId), limit) as number[];
    const isComplete = latest.length !== limit && past.length !== limit;
    if (past.length === 0) return { ids: latest, isComplete };
    const ids = new Set([...latest, ...past.map((number) => Math.floor(number / pastTextsMax))]);
    return { ids: [...ids].sort((left, right) => left - right), isComplete };
  }
}
