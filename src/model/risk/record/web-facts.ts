/** Facts from the certificate and the web site. Pages are written to deceive, so little of their content is used. */
import { unicodeName } from '../../lookalike/fold/unicode-name.ts';
import type { DomainRecord } from '../../record/domain-record.ts';
import { trackerMembers } from '../../record/tracker-members.ts';
import { daysBetween, form, identities, identity, type RecordFact, trait, under } from './record-fact.ts';

const certificatesMax = 32;
const ageBounds = [3, 14, 45, 120];
const nameBounds = [2, 3, 6, 20];
const altNamesMax = 100;
/** First labels of hosts that ask for credentials or money; not `webmail`, which hosting panels add to the certificate of every site. */
const luring = /^(?:login|logon|signin|secure|account|accounts|verify|auth|sso|wallet|pay|bank|online)\./;

export function certificateFacts({ ssl_info }: DomainRecord, nowMs: number): readonly RecordFact[] {
  const newest = newestOf((ssl_info ?? []).slice(0, certificatesMax));
  if (!newest) return [];
  const age = daysBetween(newest.not_before, nowMs);
  const names = newest.alt_names?.slice(0, altNamesMax);
  return [
    ...(age === undefined ? [] : [form('certificate', 'certificate age', under(age, ageBounds, 'days'))]),
    ...(names === undefined
      ? []
      : [
          form(
            'certificate',
            'certificate hosts',
            names.some((name) => luring.test(name)) ? 'log in' : 'are usual',
          ),
          ...trait('certificate', 'certificate names', under(names.length, nameBounds, 'names')),
        ]),
    ...identity('certificate', 'certificate issuer', newest.issuer_common_name),
  ];
}

type Certificate = NonNullable<DomainRecord['ssl_info']>[number];

function newestOf(certificates: readonly Certificate[]): Certificate | undefined {
  let newest = certificates[0];
  for (const certificate of certificates)
    if ((certificate.not_before ?? '') > (newest?.not_before ?? '')) newest = certificate;
  return newest;
}

const titleCharactersMax = 200;
const titleWordsMax = 12;
/** The minimum share of the label, without digits and hyphens, that the title of its own page contains. */
const titleShareMin = 0.6;
const logsIn =
  /\b(?:log ?in|log ?on|sign ?in|signin|password|passwort|verify|verification|your account|my account|online banking|e-?banking|wallet|anmelden|einloggen|connexion|iniciar sesi|acceso|accedi|entrar|inloggen|вход|войти|登录|登入|ログイン)/u;
const isEmpty =
  /\b(?:for sale|coming soon|under construction|parked|welcome to nginx|it works|index of|default (?:web )?page|account suspended|domain default)/;

export function webFacts(record: DomainRecord): readonly RecordFact[] {
  const { website_response: response, website_title, server_type } = record;
  const title = website_title?.slice(0, titleCharactersMax).toLowerCase();
  if (response === undefined && title === undefined) return [];
  const hasTracker = trackerMembers.some((member) => (record[member]?.length ?? 0) > 0);
  return [
    ...(response === undefined ? [] : [form('web site', 'web answer', `${Math.floor(response / 100)}xx`)]),
    form('web site', 'web site leads', isElsewhere(record) ? 'away' : 'nowhere else'),
    ...trait('web site', 'tracker', hasTracker ? 'there' : 'none'),
    ...(title === undefined ? [] : titleFacts(title, record.domain)),
    ...identity('web site', 'web server', server_type?.slice(0, titleCharactersMax).split(/[/ ]/, 1)[0]),
  ];
}

function titleFacts(title: string, domain: string): readonly RecordFact[] {
  const kind = logsIn.test(title)
    ? 'asks to log in'
    : isEmpty.test(title)
      ? 'is of an empty site'
      : 'is usual';
  const words = (title.match(/\p{L}{3,}/gu) ?? []).slice(0, titleWordsMax);
  const isItself = namesItself(words, domain);
  // Many ordinary titles ("Welcome") do not name their domain: that is a sign only where somebody is to log in.
  const isSaid = isItself || kind === 'asks to log in';
  return [
    form('web site', 'title', kind),
    ...(isSaid ? [form('web site', 'title names', isItself ? 'the domain' : 'something else')] : []),
    ...identities('web site', 'title word', words),
  ];
}

/** A copied page keeps the title of the original, which does not fit the domain. */
function namesItself(words: readonly string[], domain: string): boolean {
  const label = unicodeName(domain.slice(0, domain.indexOf('.'))).replaceAll(/[\d-]/g, '');
  const matched = words.reduce((sum, word) => sum + (label.includes(word) ? word.length : 0), 0);
  return matched > 0 && matched >= label.length * titleShareMin;
}

function isElsewhere({ domain, redirect_domain }: DomainRecord): boolean {
  return redirect_domain !== undefined && redirect_domain !== '' && redirect_domain !== domain;
}
