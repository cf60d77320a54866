/**
 * A cache of short responses, for clients that repeat a query while nothing has changed: programs that enrich events look up
 * the same few names again and again. Any change in the store invalidates all of it, and so does reaching its size limit.
 */
import type { Framing } from './framing.ts';

export interface CachedResponse {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly framing: Framing;
}

const responseCharactersMax = 16_384;
const charactersMax = 16 << 20;

/** Queries with no other parameters than these: their results do not depend on the current time. */
const cacheableQuery = /^(?:\?(?:(?:swclient|version|id|limit)=[^&]*(?:&|$))*)?$/;

export class ResponseCache {
  readonly #responses = new Map<string, CachedResponse>();
  #characters = 0;
  #state: unknown;

  /** Whether the response depends only on the path, these parameters, the limits of the key and the state of the store. */
  static isCacheable(query: string): boolean {
    return cacheableQuery.test(query);
  }

  find(query: string, state: unknown): CachedResponse | undefined {
    if (state === this.#state) return this.#responses.get(query);
    this.#clear();
    this.#state = state;
    return undefined;
  }

  set(query: string, state: unknown, response: CachedResponse): void {
    if (state !== this.#state || response.text.length > responseCharactersMax) return;
    if (this.#characters > charactersMax) this.#clear();
    this.#responses.set(query, response);
    this.#characters += response.text.length + query.length;
  }

  #clear(): void {
    this.#responses.clear();
    this.#characters = 0;
  }
}
