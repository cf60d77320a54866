/** A server with data on a real port, and the command line that asks it: in a pipe, and in a pseudo-terminal of util-linux. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type DetectFixture, type Json, roomy, worldOf } from '../../../api/detect/detect-fixture.ts';
import { withFeeds } from '../../../api/feed/feed-fixture.ts';
import { nameglass, type Outcome } from '../../../harness/server/command-line.ts';
import { compileCache, program } from '../../../harness/server/program.ts';
import { type TestServerOptions, testServer } from '../../../harness/server/test-server.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import type { TestScope } from '../../../harness/test-scope.ts';

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RemoteFixture extends DetectFixture {
  readonly url: string;
  /** A home directory without profiles. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  pipe(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Both outputs as one, without carriage returns. */
  terminal(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** In a terminal in which the input is typed once a text has been shown. */
  typed(args: readonly string[], options: RunOptions & { readonly after: string }): Promise<Outcome>;
  /** Without what differs from run to run: the port, ids and signatures, each replaced by text of the same width. */
  stable(text: string): Promise<string>;
}

export async function remoteFixture(
  scope: TestScope,
  options: TestServerOptions = {},
): Promise<RemoteFixture> {
  const server = await testServer(scope, { ...options, settings: { ...roomy, ...options.settings } });
  const world = await worldOf(server);
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const home = temporaryDirectory(scope);
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: '',
    TERM: 'xterm',
    NO_COLOR: '',
    NAMEGLASS_SERVER: url,
    NAMEGLASS_API_KEY: world.user.key,
  };
  return {
    ...world,
    url,
    home,
    env,
    pipe: (args, run = {}) => nameglass(args, { ...run, env: { ...env, ...run.env } }),
    terminal: (args, run = {}) => inTerminal(args, { ...run, env: { ...env, ...run.env } }),
    typed: (args, run) => inTerminal(args, { ...run, env: { ...env, ...run.env } }),
    stable: async (text) => withoutIds(text, await idsOf(world), { url, username: world.user.username }),
  };
}

/** `script` is part of every Debian. */
async function inTerminal(
  args: readonly string[],
  { env = {}, input, after }: RunOptions & { readonly after?: string },
): Promise<Outcome> {
  const quoted = [process.execPath, program, ...args]
    .map((arg) => `'${arg.replaceAll("'", "'\\''")}'`)
    .join(' ');
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('NAMEGLASS_'));
  const command = `stty cols 100 rows 50; exec ${quoted}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  });
  let out = '';
  let isTyped = after === undefined;
  if (isTyped) child.stdin?.end(input);
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
    if (isTyped || !out.includes(after ?? '')) return;
    isTyped = true;
    child.stdin?.write(input ?? '');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  child.stdin?.destroy();
  return { code, out: out.replaceAll('\r', ''), err: '' };
}

async function idsOf({ call }: DetectFixture): Promise<readonly string[]> {
  const get = async (path: string) => (await call(`GET /v1/intel-detect/${path}`)).json;
  const states = ['new', 'watched', 'ignored'];
  const lists = await Promise.all(states.map((state) => get(`watchlist/${state}/`)));
  const domains = lists.flatMap(({ watchlist_domains: found }) => found);
  const { monitors } = await get('monitors/all/');
  const { decisions } = await get('decisions/');
  const byName = (one: Json, other: Json) => (one.domain < other.domain ? -1 : 1);
  return [...domains.sort(byName), ...monitors, ...decisions.toReversed()].map(({ id }: Json) => id);
}

function withoutIds(
  text: string,
  ids: readonly string[],
  { url, username }: { url: string; username: string },
): string {
  let shown = text.replaceAll(url, 'http://127.0.0.1:8080').replaceAll(username, 'user1');
  ids.forEach((id, index) => {
    shown = shown.replaceAll(id, `ID${String(index + 1).padStart(id.length - 2, '0')}`);
  });
  return shown
    .replaceAll(/Signature=[\w-]+/g, 'Signature=…')
    .replaceAll(/\/blocklists\/[\w-]+\//g, '/blocklists/ACCOUNT/');
}

/** What the commands are asked about. */
export async function seed({ server, user, monitor, discover }: DetectFixture): Promise<void> {
  await monitor('acme');
  const record = {
    first_seen: '2026-02-27T23:10:00Z',
    parsed_whois: {
      registrant_contact: { name: 'Jane Owner', country: 'is', email: ['owner@mail.example'] },
      registrar: 'Example Registrar',
      create_date: '2026-02-27',
      expiration_date: '2027-02-27',
    },
    ip: [{ address: '192.0.2.10', asn: [64500], country_code: 'nl', isp: 'Example Hosting' }],
    name_server: [{ host: 'ns1.dns.example', ip: ['192.0.2.53'] }],
    mx: [{ host: 'mx.mail.example', ip: ['192.0.2.20'], priority: 10 }],
    // Its owner chooses the title of a website.
    website_title: 'Sign in \u001b[31m\u202e now',
  };
  const scored = (score: number) => ({ ...record, domain_risk: { risk_score: score, components: [] } });
  await discover('acme-login.example', { record: scored(97) });
  await discover('acme-pay.example', { record: scored(100) });
  await discover('acme-shop.test', { record: { ...scored(35), website_title: 'Shop' } });
  await server.observe([
    { rrname: 'www.acme-login.example.', rdata: ['192.0.2.10', '192.0.2.11'], count: 41 },
    { rrname: 'acme-login.example.', rrtype: 'MX', rdata: '10 mx.mail.example.', count: 3 },
    { rrname: 'acme-pay.example.', rdata: '192.0.2.10', count: 7 },
  ]);
  const feeds = withFeeds(server, user.key, user.username);
  await feeds.appendNames('nod', 'acme-login.example', 'acme-pay.example');
}
