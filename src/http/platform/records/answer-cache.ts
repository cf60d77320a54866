/**
 * A cache of answers with records, for clients that ask the same again while nothing has changed: playbooks enrich the domains of every
 * event, and people go back to a search. Any change in the store of domains, tags included, invalidates all of it, and so does reaching
 * its size limit. Credentials, limits and parameters are not cached: they are checked for every request.
 */
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../model/account/account.ts';
import { bodyOf } from '../operation/raw-parameters.ts';

export interface CachedAnswer {
  readonly contentType: string;
  readonly body: string | Buffer;
  /** When the answer changes by itself, because a tag expires. */
  readonly validUntilMs: number;
  /** To be called before it is sent again. */
  readonly renew?: ((nowMs: number) => Promise<unknown>) | undefined;
}

/** A fourth of the cache at most, for one answer. */
const answerShare = 1 / 4;

export class AnswerCache {
  readonly #bytesMax: number;
  readonly #answers = new Map<string, CachedAnswer>();
  #bytes = 0;
  #state: unknown;

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

  /** `state` is that of the store, before the answer is made. */
  find(key: string, state: unknown, nowMs: number): CachedAnswer | undefined {
    if (state !== this.#state) {
      this.#clear();
      this.#state = state;
    }
    const answer = this.#answers.get(key);
    return answer && nowMs < answer.validUntilMs ? answer : undefined;
  }

  /** Under one or several keys. */
  set(keys: readonly string[], state: unknown, answer: CachedAnswer): void {
    const size = keys.reduce((sum, { length }) => sum + length, answer.body.length);
    if (state !== this.#state || size > this.#bytesMax * answerShare) return;
    if (this.#bytes + size > this.#bytesMax) this.#clear();
    this.#bytes += size;
    for (const key of keys) this.#answers.set(key, answer);
  }

  #clear(): void {
    this.#answers.clear();
    this.#bytes = 0;
  }
}

function keyOf({ user }: Caller, wording: string, url: string, search = ''): string {
  return `${user.id} ${wording} ${url} ${search}`;
}
