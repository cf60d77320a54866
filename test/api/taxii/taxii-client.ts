/**
 * A client of TAXII 2.1, written from the text of the standard: it discovers, pages and polls, and knows nothing of this server. It fails on
 * everything that the standard rules out.
 */
import assert from 'node:assert/strict';
import type { Answer } from '../../harness/server/test-server.ts';

export const mediaType = 'application/taxii+json;version=2.1';

export type Get = (path: string, headers: Readonly<Record<string, string>>) => Promise<Answer>;

export interface StixObject extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly type: string;
  readonly modified?: string;
  readonly revoked?: boolean;
}

export interface Manifested {
  readonly id: string;
  readonly date_added: string;
  readonly version: string;
  readonly media_type: string;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
  readonly next: string | undefined;
  readonly first: string | undefined;
  readonly last: string | undefined;
}

export type Parameters = Readonly<Record<string, string>>;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

export class TaxiiClient {
  readonly #get: Get;
  readonly #authorization: string;

  constructor(get: Get, { username, key }: { readonly username: string; readonly key: string }) {
    this.#get = get;
    this.#authorization = `Basic ${Buffer.from(`${username}:${key}`).toString('base64')}`;
  }

  async get(path: string): Promise<Answer> {
    return this.#get(path, { authorization: this.#authorization, accept: mediaType });
  }

  /** The path of the default API root. */
  async apiRoot(): Promise<string> {
    const { default: root, api_roots } = await this.#resource('/taxii2/');
    assert.ok(api_roots.includes(root));
    return new URL(root, 'http://unused.example').pathname;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  async collections(): Promise<readonly any[]> {
    return (await this.#resource(`${await this.apiRoot()}collections/`)).collections ?? [];
  }

  page(collection: string, parameters: Parameters = {}): Promise<Page<StixObject>> {
    return this.#page<StixObject>(`${collection}/objects/`, 'objects', parameters);
  }

  manifestPage(collection: string, parameters: Parameters = {}): Promise<Page<Manifested>> {
    return this.#page<Manifested>(`${collection}/manifest/`, 'objects', parameters);
  }

  versionPage(collection: string, id: string): Promise<Page<string>> {
    return this.#page<string>(`${collection}/objects/${id}/versions/`, 'versions', {});
  }

  /** All pages by `next`, with something in between, and where to poll from next time. */
  async readAll(
    collection: string,
    parameters: Parameters = {},
    between: () => Promise<void> = async () => undefined,
  ): Promise<{ readonly objects: StixObject[]; readonly last: string | undefined }> {
    const objects: StixObject[] = [];
    let { added_after: last } = parameters;
    for (let next: string | undefined; ; ) {
      const page = await this.page(collection, { ...parameters, ...(next === undefined ? {} : { next }) });
      objects.push(...page.items);
      last = page.last ?? last;
      if (!page.more) return { objects, last };
      next = page.next ?? assert.fail('there is more, and no next');
      await between();
    }
  }

  async #page<Item>(path: string, member: string, parameters: Parameters): Promise<Page<Item>> {
    const query = new URLSearchParams(parameters).toString();
    const answer = await this.get(`/taxii2/api/collections/${path}${query === '' ? '' : `?${query}`}`);
    const resource = this.#read(answer);
    const items: readonly Item[] = resource[member] ?? [];
    if (member in resource) assert.ok(items.length > 0, 'a list is empty, and there');
    if (parameters['limit'] !== undefined) assert.ok(items.length <= Number(parameters['limit']));
    const first = answer.headers['x-taxii-date-added-first'];
    const last = answer.headers['x-taxii-date-added-last'];
    assert.equal(first !== undefined, items.length > 0);
    for (const time of [first, last]) if (time !== undefined) assert.match(time, instant);
    return { items, more: resource.more ?? false, next: resource.next, first, last };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  async #resource(path: string): Promise<any> {
    return this.#read(await this.get(path));
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  #read(answer: Answer): any {
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['content-type'], mediaType);
    return answer.json;
  }
}
