/** A server whose feeds have archives. */
import type { TestContext } from 'node:test';
import type { FeedName } from '../../src/model/product-catalogue.ts';
import { feedStream } from '../../src/model/stream-names.ts';
import { ArchiveMaker } from '../../src/product/download/make-archives.ts';
import { type TestServer, type TestServerOptions, testServer } from '../harness/test-server.ts';

export interface ListedFile {
  readonly name: string;
  readonly last_modified: string;
  readonly etag: string;
  readonly size: string;
  readonly url: string;
}

export const record = (domain: string, instant: string) =>
  `{"timestamp":"${instant}","domain":"${domain}"}\n`;

export async function tell(
  server: TestServer,
  feed: FeedName,
  instant: string,
  domain: string,
): Promise<string> {
  const line = record(domain, instant);
  await server.streams.append([{ stream: feedStream(feed), bytes: Buffer.from(line) }], Date.parse(instant));
  return line;
}

/** What the minute-by-minute upkeep does, once. */
export async function makeArchives(server: TestServer): Promise<void> {
  await new ArchiveMaker(server).run();
}

/** The feed `nod` with a record in the first and in the last of three hours, archived. */
export async function archivedServer(t: TestContext, options?: TestServerOptions): Promise<TestServer> {
  const server = await testServer(t, options);
  await tell(server, 'nod', '2026-02-19T22:10:00Z', 'early.example');
  await tell(server, 'nod', '2026-02-20T00:20:00Z', 'late.example');
  server.clock.set('2026-02-20T01:01:12Z');
  await makeArchives(server);
  return server;
}

export async function filesOf(server: TestServer, key: string, path = 'nod/'): Promise<ListedFile[]> {
  return (await server.call(`GET /v1/download/${path}`, { key })).json.response.files;
}

/** A listed link as the path and query that reach the server. */
export function pathOf({ url }: Pick<ListedFile, 'url'>): string {
  return url.replace(/^https?:\/\/[^/]+/, '');
}
