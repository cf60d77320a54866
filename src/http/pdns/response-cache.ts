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

/** What a response depends on besides the URL. */
export interface ResponseVariant {
  readonly apiVersion: number;
  readonly accept: string | undefined;
  readonly resultsMax: number;
  readonly offsetMax: number | 'n/a';
}

interface Entry {
  readonly variant: ResponseVariant;
  readonly response: CachedResponse;
}

/** Of one URL; more than clients with different keys and headers have. */
const variantsMax = 8;

export class ResponseCache {
  /** By URL: a key of all that a response depends on would have to be put together for every request. */
  readonly #responses = new Map<string, Entry[]>();
  #characters = 0;
  #state: unknown;

  /** Whether the response depends only on the path, these parameters, the limits of the key and the state of the store. */
  static isCacheable(query: string): boolean {
    return cacheableQuery.test(query);
  }

  find(url: string, variant: ResponseVariant, state: unknown): CachedResponse | undefined {
    if (state === this.#state)
      return this.#responses.get(url)?.find((entry) => isSame(entry.variant, variant))?.response;
    this.#clear();
    this.#state = state;
    return undefined;
  }

  set(url: string, variant: ResponseVariant, state: unknown, response: CachedResponse): void {
    if (state !== this.#state || response.text.length > responseCharactersMax) return;
    if (this.#characters > charactersMax) this.#clear();
    const entries = this.#responses.get(url);
    if (entries && entries.length >= variantsMax) return;
    if (entries) entries.push({ variant, response });
    else this.#responses.set(url, [{ variant, response }]);
    this.#characters += response.text.length + url.length;
  }

  #clear(): void {
    this.#responses.clear();
    this.#characters = 0;
  }
}

function isSame(left: ResponseVariant, right: ResponseVariant): boolean {
  return (
    left.apiVersion === right.apiVersion &&
    left.accept === right.accept &&
    left.resultsMax === right.resultsMax &&
    left.offsetMax === right.offsetMax
  );
}
