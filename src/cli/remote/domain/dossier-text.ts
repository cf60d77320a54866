/** A dossier as text for a terminal. */
import type { Dossier } from '../../../product/assistant/dossier/dossier.ts';
import { riskColour } from '../../listing/colour.ts';
import type { Detail, Section } from '../../listing/details.ts';
import { counted } from '../../output.ts';

type Values = string | readonly string[];
interface FromThirdParties {
  readonly from_third_parties?: Readonly<Record<string, Values>>;
  readonly more_values?: Readonly<Record<string, number>>;
}

export function dossierText(dossier: Dossier): readonly Section[] {
  return [
    { details: heading(dossier) },
    { title: 'Risk', details: risk(dossier) },
    { title: 'Registration', details: registration(dossier) },
    { title: 'Hosting', details: hosting(dossier) },
    { title: 'Website', details: website(dossier) },
    { title: 'Watchlist', details: watchlist(dossier) },
    { title: 'Shared with others', details: pivots(dossier) },
    { title: 'History', details: history(dossier) },
    { title: 'Passive DNS', details: passiveDns(dossier) },
  ];
}

function heading(dossier: Dossier): readonly Detail[] {
  return [
    { name: 'domain', value: dossier.domain, colour: 'bold' },
    { name: 'in Unicode', value: written(dossier, 'unicode') },
    { name: 'summary', value: dossier.summary },
    { name: 'first seen', value: minute(dossier.first_seen) },
    { name: 'updated', value: minute(dossier.updated) },
    { name: 'rank', value: dossier.popularity_rank },
    { name: 'tags', value: dossier.tags },
    { name: 'web UI', value: dossier.links.web },
  ];
}

function risk({ risk: found }: Dossier): readonly Detail[] {
  if (!found) return [];
  const parts = Object.entries(found.components).map(
    ([name, score]) => `${name.replace('threat_profile_', '')} ${score}`,
  );
  return [
    { name: 'score', value: `${found.score} (${found.status})`, colour: riskColour(found.score) },
    { name: 'components', value: parts },
    ...found.reasons.map((reason) => {
      const value = written(reason, 'value');
      return {
        name: `${reason.points > 0 ? '+' : ''}${reason.points}`,
        value: value === '' ? reason.reason : `${reason.reason}: ${value}`,
      };
    }),
  ];
}

function registration({ registration: found }: Dossier): readonly Detail[] {
  if (!found) return [];
  const age = found.age_days === undefined ? '' : ` (${found.age_days} days ago)`;
  return [
    { name: 'created', value: found.created && found.created + age },
    { name: 'expires', value: found.expires },
    { name: 'registrar', value: written(found, 'registrar') },
    {
      name: 'registrant',
      value: [
        written(found, 'registrant_name'),
        written(found, 'registrant_org'),
        written(found, 'registrant_country'),
      ].filter(Boolean),
    },
    { name: 'e-mail', value: written(found, 'emails') },
    { name: 'status', value: written(found, 'status') },
  ];
}

function hosting({ hosting: found }: Dossier): readonly Detail[] {
  if (!found) return [];
  const addresses = found.addresses.map(({ ip, country_code: country, asn }) =>
    [ip, country, asn.map((number) => `AS${number}`).join(' ')].filter(Boolean).join(' '),
  );
  const more = found.address_count - found.addresses.length;
  return [
    { name: 'addresses', value: more > 0 ? [...addresses, `+${more}`] : addresses },
    { name: 'network', value: written(found, 'isp') },
    { name: 'name servers', value: written(found, 'name_servers') },
    { name: 'mail servers', value: written(found, 'mx') },
    { name: 'SPF', value: written(found, 'spf') },
  ];
}

function website({ website: found }: Dossier): readonly Detail[] {
  if (!found) return [];
  const { screenshot } = found;
  return [
    { name: 'title', value: written(found, 'title') },
    { name: 'response', value: found.response },
    { name: 'server', value: written(found, 'server') },
    { name: 'redirect', value: written(found, 'redirect') },
    { name: 'trackers', value: written(found, 'tracker_codes') },
    ...found.certificates.map((certificate) => ({
      name: 'certificate',
      value: [
        written(certificate, 'common_name'),
        `from ${written(certificate, 'issuer') || 'unknown'}`,
        certificate.not_after && `until ${certificate.not_after}`,
        certificate.other_names > 0 && `${certificate.other_names} other names`,
      ].filter(Boolean),
    })),
    { name: 'screenshot', value: screenshot.state === 'taken' ? minute(screenshot.at) : '' },
  ];
}

function watchlist({ watchlist: found }: Dossier): readonly Detail[] {
  if (!found) return [];
  return [
    { name: 'state', value: `${found.state}, discovered ${minute(found.discovered)}` },
    { name: 'id', value: found.id },
    { name: 'resembles', value: found.matches.map(({ term, class: kind }) => `${term} (${kind})`) },
    ...found.escalations.map(({ type, at, by }) => ({
      name: 'escalated',
      value: `${type} by ${by} ${minute(at)}`,
    })),
  ];
}

function pivots({ pivots: found = [] }: Dossier): readonly Detail[] {
  return found.map((pivot) => {
    const average = pivot.average_risk === undefined ? '' : `, average risk ${pivot.average_risk}`;
    const others = pivot.others.length === 0 ? '' : `: ${pivot.others.join(', ')}`;
    const same = pivot.same_domains?.length ? `; the same share ${pivot.same_domains.join(', ')}` : '';
    const value = `${written(pivot, 'value')} (${counted(pivot.domains, 'domain')}${average})`;
    return { name: pivot.attribute, value: value + others + same };
  });
}

function history({ history: found }: Dossier): readonly Detail[] {
  if (!found || (found.rows.length === 0 && !found.risk)) return [];
  const { risk: scores } = found;
  return [
    {
      name: 'risk score',
      value:
        scores && `${scores.from ?? 'none'} → ${scores.to ?? 'none'}, ${counted(scores.changes, 'change')}`,
    },
    ...found.rows.map((row) => ({
      name: minute(row.at),
      value:
        `${row.field} ${written(row, 'part')}: ${written(row, 'before') || 'none'} → ${written(row, 'after') || 'none'}`.replace(
          ' :',
          ':',
        ),
    })),
    { name: '', value: found.more ? '… and older ones' : '' },
  ];
}

function passiveDns({ passive_dns: found }: Dossier): readonly Detail[] {
  if (!found || found.records === 0) return [];
  return [
    {
      name: 'records',
      value: `${found.records}${found.more ? ' and more' : ''}, ${found.observations} observations`,
    },
    { name: 'seen', value: `${minute(found.first)} to ${minute(found.last)}` },
    ...found.rows.map((row) => ({
      name: minute(row.last),
      value: `${written(row, 'rrname')} ${row.rrtype} ${written(row, 'rdata')} (${row.count})`,
    })),
  ];
}

/** What third parties wrote, as one text. */
function written(
  { from_third_parties: fields = {}, more_values: more = {} }: FromThirdParties,
  field: string,
): string {
  const value = fields[field] ?? '';
  const text = typeof value === 'string' ? value : value.join(', ');
  return more[field] === undefined ? text : `${text}, +${more[field]}`;
}

function minute(instant: string | undefined): string {
  return instant === undefined ? '' : instant.slice(0, 16).replace('T', ' ');
}
