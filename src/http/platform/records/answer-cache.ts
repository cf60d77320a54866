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
  static keyOf(request: FastifyRequest, { user }: Caller, search = ''): string | undefined {
    if (request.method !== 'GET' || bodyOf(request).length > 0) return undefined;
    return `${user.id} ${request.wording} ${request.url} ${search}`;
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

  set(key: string, state: unknown, answer: CachedAnswer): void {
    const size = answer.body.length + key.length;
    if (state !== this.#state || size > this.#bytesMax * answerShare) return;
    if (this.#bytes + size > this.#bytesMax) this.#clear();
    this.#bytes += size;
    this.#answers.set(key, answer);
  }

  #clear(): void {
    this.#answers.clear();
    this.#bytes = 0;
  }
}
