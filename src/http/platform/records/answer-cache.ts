/**
 * A cache of answers with records, for clients that ask the same again while nothing has changed: playbooks enrich the domains of every
 * event, and people go back to a search. Any change in the store of domains, tags included, invalidates all of it: an answer is then made
 * again, and if its body is the same as before, it is not compressed again. Reaching the size limit empties the cache. Credentials,
 * limits and parameters are not cached: they are checked for every request.
 */
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../model/account/account.ts';
import type { KeptBody } from '../../compression.ts';
import { bodyOf } from '../operation/raw-parameters.ts';

export interface CachedAnswer extends KeptBody {
  readonly contentType: string;
  /** When the answer changes by itself, because a tag expires. */
  readonly validUntilMs: number;
  /** To be called before it is sent again. */
  readonly renew?: ((nowMs: number) => Promise<unknown>) | undefined;
}

interface Entry {
  readonly answer: CachedAnswer;
  /** Of the store, before the answer was made. */
  readonly state: unknown;
  readonly bytes: number;
}

/** A fourth of the cache at most, for one answer. */
const answerShare = 1 / 4;

export class AnswerCache {
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** What an answer depends on besides the store; undefined where that is more than fits into a key. */
  static keyOf(request: FastifyRequest, caller: Caller, search = ''): string | undefined {
    if (request.method !== 'GET' || bodyOf(request).length > 0) return undefined;
    return keyOf(caller, request.wording, request.url, search);
  }

  /** The answer to a GET of this URL, where it depends on nothing else: neither on the time nor on the words that the client uses. */
  findByUrl(url: string, caller: Caller, state: unknown, nowMs: number): CachedAnswer | undefined {
    // Of a store that is a network away.
    if (state instanceof Promise) return undefined;
    const answer = this.find(keyOf(caller, 'neutral', url), state, nowMs);
    return answer?.renew ? undefined : answer;
  }

  find(key: string, state: unknown, nowMs: number): CachedAnswer | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.state === state && nowMs < entry.answer.validUntilMs ? entry.answer : undefined;
  }

  /** Under one or several keys. Returns what is to be sent: the same body, or the one that is kept if they are equal. */
  set(keys: readonly [string, ...string[]], state: unknown, made: CachedAnswer): CachedAnswer {
    if (made.body.length > this.#bytesMax * answerShare) return made;
    const answer = sameBodyAs(this.#entries.get(keys[0])?.answer, made);
    for (const [index, key] of keys.entries()) {
      const bytes = key.length + (index === 0 ? answer.body.length : 0);
      this.#bytes += bytes - (this.#entries.get(key)?.bytes ?? 0);
      this.#entries.set(key, { answer, state, bytes });
    }
    if (this.#bytes > this.#bytesMax) this.#clear();
    return answer;
  }

  #clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}

/** With the body of the answer before, and what is kept of it, if it is equal. */
function sameBodyAs(before: CachedAnswer | undefined, made: CachedAnswer): CachedAnswer {
  if (before === undefined || !isEqual(before.body, made.body)) return made;
  return { ...made, body: before.body, keeper: before.keeper ?? before };
}

function isEqual(one: string | Buffer, other: string | Buffer): boolean {
  return typeof one === 'string' || typeof other === 'string' ? one === other : one.equals(other);
}

function keyOf({ user }: Caller, wording: string, url: string, search = ''): string {
  return `${user.id} ${wording} ${url} ${search}`;
}
