/** Questions to every product about what is stored. */
import type { MovedInstallation } from '../fixtures/moved-installation.ts';

export interface Question {
  readonly path: string;
  readonly as: 'user' | 'person' | 'downloader';
  readonly body?: string;
}

/** So many questions are more than the contract allows. */
export const unlimited = [
  'limits.productRequestsPerMinute=100000',
  'limits.detect.monitorsQueriesPerHour=100000',
  'limits.detect.newDomainsQueriesPerHour=100000',
  'limits.detect.watchedDomainsQueriesPerHour=100000',
  'limits.feed.queriesPerMinute=100000',
  'limits.feed.queriesPerHour=100000',
];

const feeds = [
  'domaindiscovery',
  'domainhotlist',
  'domainrdap',
  'domainrisk',
  'iphotlist',
  'iprisk',
  'nad',
  'nod',
  'noh',
];
const states = ['new', 'watched', 'ignored'];
const pivotsMax = 60;
const detailedDomains = 45;

export function storedQuestions({ domains, pivots, batchKey }: MovedInstallation): readonly Question[] {
  const user = (path: string): Question => ({ path, as: 'user' });
  const person = (path: string): Question => ({ path: `/ui/api${path}`, as: 'person' });
  return [
    // Before anything is used up.
    person('/usage'),
    ...['/v1/account/', '/v1/account/user/', '/v1/account/keys/'].map(user),
    ...domains
      .slice(0, detailedDomains)
      .flatMap((domain) => [
        user(`/v1/intel-enrich/?domain=${domain}`),
        user(`/v1/intel-investigate/?domain=${domain}&parsed_whois=true&screenshots=1`),
        user(`/v1/domain-history/?domain=${domain}`),
        user(`/v1/domain-dossier/?domain=${domain}`),
        user(`/v1/risk/evidence/?domain=${domain}`),
        user(`/pdns/v2/lookup/rrset/name/*.${domain}?limit=100`),
        person(`/domains/${domain}/record`),
        person(`/domains/${domain}/history`),
        person(`/domains/${domain}/pictures`),
      ]),
    ...pivots.slice(0, pivotsMax).map((pivot) => user(`/v1/intel-investigate/?${pivot}&page_size=50`)),
    ...pivots.slice(0, 10).map((pivot) => user(`/v1/intel-investigate/facets/?attribute=registrar&${pivot}`)),
    ...['tagged_with_all=phishing', 'whois=registrar', 'registrant_org=a', 'website_title=home'].map(
      (search) => user(`/v1/intel-investigate/?${search}`),
    ),
    ...states.flatMap((state) => [
      user(`/v1/intel-detect/domains/${state}/?limit=50`),
      user(`/v1/intel-detect/watchlist/${state}/?sort[]=discovered_date&order=asc&limit=10&offset=3`),
      person(`/detect/domains?list=${state}`),
      person(`/detect/facets?list=${state}&by=tld`),
    ]),
    ...['monitors', 'monitors/all', 'escalations', 'decisions', 'own-domains', 'blocklists'].map((list) =>
      user(`/v1/intel-detect/${list}/`),
    ),
    ...['blocklists/selections', 'blocklists/allowed'].map((list) => user(`/v1/intel-detect/${list}/`)),
    ...domains.slice(0, 5).map((domain) => user(`/v1/domain-tags/?domain=${domain}`)),
    ...feeds.flatMap((feed) => [
      user(`/v1/feed/${feed}/?after=2026-11-16T00:00:00Z&before=2026-11-16T23:59:00Z`),
      user(`/v1/feed/${feed}/?after=-432000&top=5`),
      user(`/v1/download/${feed}/`),
    ]),
    {
      path: '/batchd/v1/batch/chdetails',
      as: 'downloader',
      body: JSON.stringify({ apikey: batchKey, channels: [204, 212, 213, 214] }),
    },
    ...['/me', '/keys', '/audit', '/audit/chain', '/monitors', '/subscriptions', '/tags'].map(person),
    ...[
      '/detect/counts',
      '/detect/decisions',
      '/investigations',
      '/blocklists/allowed',
      '/own-domains',
      '/feeds',
    ].map(person),
  ];
}

export interface StoredAnswer {
  readonly question: string;
  readonly status: number;
  readonly text: string;
}

/** One after another, since some count. */
export async function askAll(
  url: string,
  { apiKey, cookie }: Pick<MovedInstallation, 'apiKey' | 'cookie'>,
  questions: readonly Question[],
): Promise<readonly StoredAnswer[]> {
  const headersOf = {
    user: { 'x-api-key': apiKey },
    person: { cookie, 'sec-fetch-site': 'same-origin', 'x-requested-with': 'nameglass' },
    downloader: { 'content-type': 'application/json' },
  } as const;
  const answers: StoredAnswer[] = [];
  const beganMs = Date.now();
  for (const { path, as, body } of questions) {
    const response = await fetch(url + path, {
      headers: headersOf[as],
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    answers.push({
      question: path,
      status: response.status,
      text: lasting(await response.text(), url, beganMs),
    });
  }
  return answers;
}

/** Without the address of the server, signatures that depend on it, the time of the question, and serials, which a server renews when it starts. */
function lasting(text: string, url: string, beganMs: number): string {
  return text
    .replaceAll(url, 'URL')
    .replaceAll(/("serial":|hostmaster\.localhost\. |version )\d+/g, 'SERIAL')
    .replaceAll(/Expires=\d+|Signature=[\w-]+/g, 'SIGNED')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (Date.parse(time) >= beganMs ? 'NOW' : time));
}
