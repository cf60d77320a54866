/** A server with archived feeds. */
import type { FeedName } from '../../../src/model/product-catalogue.ts';
import { feedStream } from '../../../src/model/stream-names.ts';
import { ArchiveMaker } from '../../../src/product/download/make-archives.ts';
import { type TestServer, type TestServerOptions, testServer } from '../../harness/server/test-server.ts';
import { sharedInFile, type TestScope } from '../../harness/test-scope.ts';

export interface ListedFile {
  readonly name: string;
  readonly last_modified: string;
  readonly etag: string;
  readonly size: string;
  readonly url: string;
}

export const record = (domain: string, instant: string) =>
  `{"timestamp":"${instant}","domain":"${domain}"}\n`;

export async function publish(
  server: TestServer,
  feed: FeedName,
  instant: string,
  domain: string,
): Promise<string> {
  const line = record(domain, instant);
  await server.streams.append([{ stream: feedStream(feed), bytes: Buffer.from(line) }], Date.parse(instant));
  return line;
}

/** One run of the periodic archive job. */
export async function makeArchives(server: TestServer): Promise<void> {
  await new ArchiveMaker(server).run();
}

const archivedAt = '2026-02-20T01:01:12Z';

/** The feed `nod` with records in the first and the last of three hours, archived. */
export async function archivedServer(scope: TestScope, options?: TestServerOptions): Promise<TestServer> {
  const server = await testServer(scope, options);
  await publish(server, 'nod', '2026-02-19T22:10:00Z', 'early.example');
  await publish(server, 'nod', '2026-02-20T00:20:00Z', 'late.example');
  server.clock.set(archivedAt);
  await makeArchives(server);
  return server;
}

/** Archived servers that the tests of a file share when they want the same settings. */
export function sharedArchivedServers(): (
  options?: Pick<TestServerOptions, 'settings'>,
) => Promise<TestServer> {
  const share = sharedInFile((scope, settings: TestServerOptions['settings'] & object) =>
    archivedServer(scope, { settings }),
  );
  return async ({ settings = {} } = {}) => {
    const server = await share(settings);
    server.clock.set(archivedAt);
    return server;
  };
}

export async function filesOf(server: TestServer, key: string, path = 'nod/'): Promise<ListedFile[]> {
  return (await server.call(`GET /v1/download/${path}`, { key })).json.response.files;
}

/** The path and query of a listed link. */
export function pathOf({ url }: Pick<ListedFile, 'url'>): string {
  return url.replace(/^https?:\/\/[^/]+/, '');
}
