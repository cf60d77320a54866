/** What `nameglass init` finds on the Internet, on loopback: a list of certificate logs, and lists of names. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { TestLog } from './certificate-log.ts';

export interface PublicSources {
  /** Of operator Elm, by RFC 6962, and of operator Oak, in tiles. */
  readonly elm: TestLog;
  readonly oak: TestLog;
  readonly url: string;
  /** Paths below `url`: `/log_list.json`, `/names.txt`, `/bad.txt`, `/page.html`; anything else is 404. */
  readonly paths: Readonly<Record<string, string>>;
}

/** The list names the two logs, one that is closed and one whose period is over. */
export async function openPublicSources(t: TestContext): Promise<PublicSources> {
  const [elm, oak] = [await new TestLog().serve(t), await new TestLog().serve(t)];
  const usable = { usable: { timestamp: '2026-01-01T00:00:00Z' } };
  const period = (end_exclusive: string) => ({
    temporal_interval: { start_inclusive: '2026-01-01T00:00:00Z', end_exclusive },
  });
  const open = { state: usable, ...period('2099-01-01T00:00:00Z'), mmd: 60, log_id: 'x' };
  const paths: Readonly<Record<string, string>> = {
    '/log_list.json': JSON.stringify({
      version: '1',
      operators: [
        {
          name: 'Elm',
          email: ['a@example.org'],
          logs: [
            { ...open, description: "Elm 'Elm2099h1' log", key: elm.publicKey, url: elm.url },
            {
              ...open,
              ...period('2026-02-01T00:00:00Z'),
              description: "Elm 'Over' log",
              key: 'x',
              url: elm.url,
            },
            { ...open, state: { retired: {} }, description: "Elm 'Closed' log", key: 'x', url: elm.url },
          ],
        },
        {
          name: 'Oak and Sons',
          logs: [],
          tiled_logs: [
            {
              ...open,
              description: "Oak 'Oak2099h1'",
              key: oak.publicKey,
              submission_url: 'https://oak.example/',
              monitoring_url: oak.url,
            },
          ],
        },
      ],
    }),
    '/names.txt': '# names\nfirst-of-all.com\nsecond-of-all.com\n',
    '/bad.txt': 'hxxp://bad-name[.]top/login\nworse-name.top\n',
    '/page.html': '<!doctype html><title>Moved</title>\n',
  };
  const server = createServer((request, response) => {
    const body = paths[request.url ?? ''];
    if (body === undefined) response.writeHead(404).end();
    else response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { elm, oak, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}
