/** Each remote command in a pipe and in a pseudo-terminal, compared with golden files. */
import { after, test } from 'node:test';
import { assertGolden, goldenText } from './golden.ts';
import { type RunOptions, remoteFixture, seed } from './remote-fixture.ts';

const remote = await remoteFixture({ after });
await seed(remote);

interface Case extends RunOptions {
  readonly args: readonly string[];
  /** Where it changes something, or differs in what it asks alone. */
  readonly only?: 'pipe' | 'terminal';
}

const words = (text: string): Case => ({ args: text.split(' ') });

/** In this order: later ones see what earlier ones changed. */
const cases: Readonly<Record<string, Case>> = {
  whoami: words('whoami'),
  quota: words('quota --fields product,limits,left'),
  domain: words('domain hxxps://acme-login[.]example/login'),
  'domain-unknown': { ...words('domain nosuch.example --fields domain,known'), only: 'pipe' },
  enrich: {
    args: ['enrich'],
    input: 'acme-login.example\n# a comment\nhxxp://acme-shop[.]test/, nosuch.example\n',
  },
  'enrich-csv': {
    ...words(
      'enrich acme-login.example acme-pay.example --csv --fields domain,risk_score,ip.address --sort -risk_score',
    ),
    only: 'pipe',
  },
  'enrich-none': { ...words('enrich nosuch.example'), only: 'pipe' },
  investigate: words('investigate --ns ns1.dns.example --sort domain'),
  'investigate-filter': {
    ...words('investigate --ns ns1.dns.example --risk-score 90 --fields domain'),
    only: 'pipe',
  },
  'investigate-count': { ...words('investigate --ns ns1.dns.example --count'), only: 'pipe' },
  'investigate-facets': words('investigate --ns ns1.dns.example --count --by registrar,ip.country_code'),
  'investigate-query': {
    args: ['investigate', '--query', 'domain CONTAINS shop', '--fields', 'domain'],
    only: 'pipe',
  },
  pdns: words('pdns www.acme-login.example'),
  'pdns-address': words('pdns 192.0.2.0/24'),
  'pdns-flags': {
    ...words('pdns -r acme-login.example -t MX -l 5 -A 2020-01-01 -B 2030-01-01 -j'),
    only: 'pipe',
  },
  'pdns-summary': words('pdns *.acme-login.example 192.0.2.10 --summary'),
  'detect-list': words('detect list --sort domain'),
  'detect-list-risk': {
    args: ['detect', 'list', '--risk', '>90', '--sort', '-risk_score', '--fields', 'domain,risk_score'],
  },
  'detect-show': words('detect show acme-login.example'),
  'detect-dry-run': { args: ['detect', 'block', '--risk', '>=97', '--sort', 'domain', '--dry-run'] },
  'detect-block-needs-yes': { args: ['detect', 'block', '--risk', '>=97'], only: 'pipe' },
  'detect-block': { args: ['detect', 'block', '--risk', '>=97', '--sort', 'domain', '--yes'], only: 'pipe' },
  blocklist: words('blocklist'),
  'blocklist-rpz': { ...words('blocklist --format rpz'), only: 'pipe' },
  'blocklist-links': words('blocklist --links'),
  'detect-undo-list': words('detect undo --list'),
  'detect-undo': { ...words('detect undo --sort domain'), only: 'terminal' },
  'detect-watch': { ...words('detect watch acme-shop.test'), only: 'terminal' },
  'detect-ignore': { args: ['detect', 'ignore', '-'], input: 'acme-shop.test\n', only: 'pipe' },
  'detect-unknown': { ...words('detect ignore nosuch.example'), only: 'pipe' },
  'monitor-list': words('monitor list'),
  'monitor-preview': words('monitor preview acmebank'),
  'monitor-test': { args: ['monitor', 'test'], input: 'acme-bank.example\nother.example\n', only: 'pipe' },
  'monitor-export': words('monitor export'),
  'monitor-files-tested': words('monitor test test/fixtures/monitors'),
  'monitor-files-failed': words('monitor test test/fixtures/broken-monitors'),
  'monitor-files-none': { ...words('monitor test test/fixtures/nosuch.yaml'), only: 'pipe' },
  'monitor-plan': words('monitor apply test/fixtures/monitors --plan'),
  'monitor-apply-needs-yes': { ...words('monitor apply test/fixtures/monitors'), only: 'pipe' },
  'monitor-apply-untested': { ...words('monitor apply test/fixtures/broken-monitors --yes'), only: 'pipe' },
  'monitor-apply': { ...words('monitor apply test/fixtures/monitors --prune --yes'), only: 'terminal' },
  'monitor-apply-again': { ...words('monitor apply test/fixtures/monitors'), only: 'pipe' },
  'monitor-exported': { ...words('monitor export -'), only: 'pipe' },
  'monitor-removed': { ...words('monitor remove acmebank --fields term'), only: 'pipe' },
  'monitor-add': { ...words('monitor add acmebank --exclude-text forum'), only: 'terminal' },
  'monitor-remove': { ...words('monitor remove acmebank --fields term,removed'), only: 'pipe' },
  'feed-after': words('feed nod --after 1h'),
  'feed-session': { ...words('feed nod --session siem'), only: 'pipe' },
  'feed-session-again': { ...words('feed nod --session siem'), only: 'pipe' },
  api: words('api /v1/risk/ -f domain=acme-login.example'),
  'api-paginate': words('api /v1/intel-detect/monitors/all/ --paginate --fields term,state'),
  'api-post': { ...words('api /v1/intel-detect/monitors/ -X POST -f term=x'), only: 'pipe' },
  'api-no-such-path': { ...words('api /v1/nosuch/'), only: 'pipe' },
};

for (const [name, { args, only, ...options }] of Object.entries(cases)) {
  if (only !== 'terminal')
    test(`in a pipe: ${name}`, async () => {
      const outcome = await remote.pipe(args, options);
      assertGolden(`${name}.pipe`, await remote.stable(goldenText(args, outcome)));
    });
  // Standard input of a pseudo-terminal is echoed, so commands that read it are not run there.
  if (only !== 'pipe' && options.input === undefined)
    test(`in a terminal: ${name}`, async () => {
      const outcome = await remote.terminal(args, options);
      assertGolden(`${name}.terminal`, await remote.stable(goldenText(args, outcome)));
    });
}
