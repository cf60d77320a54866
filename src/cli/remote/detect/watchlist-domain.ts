/** Domains of a watchlist as the API returns them, and their columns. */
import { riskColour } from '../../listing/colour.ts';
import { type Column, member, memberAt } from '../../listing/column.ts';
import type { Detail, Section } from '../../listing/details.ts';
import { counted } from '../../output.ts';

export interface WatchlistDomain {
  readonly id: string;
  readonly domain: string;
  readonly state: 'new' | 'watched' | 'ignored';
  readonly status: string;
  readonly discovered_date: string;
  readonly changed_date: string | null;
  readonly risk_score: number | null;
  readonly risk_score_status: string | null;
  readonly mx_exists: boolean;
  readonly escalations: readonly {
    readonly escalation_type: string;
    readonly created: string;
    readonly created_by: string;
  }[];
  readonly monitor_ids: readonly string[];
  readonly assigned_by?: string;
  readonly assigned_date?: string;
  readonly sightings?: {
    readonly first: string;
    readonly last: string;
    readonly count: number;
    readonly sensors: readonly {
      readonly sensor: string;
      readonly first: string;
      readonly last: string;
      readonly count: number;
    }[];
    /** Distinct clients on the last day with any, an estimate; only where they are counted. */
    readonly clients?: { readonly day: string; readonly count: number };
  };
  readonly match: readonly { readonly class: string; readonly explanation: string; readonly host: string }[];
}

export const listColumns: readonly Column<WatchlistDomain>[] = [
  member('domain', { keep: true }),
  {
    name: 'risk_score',
    title: 'RISK',
    value: ({ risk_score: score }) => score,
    colour: riskColour,
    right: true,
  },
  member('state', { colour: (state) => (state === 'new' ? 'blue' : undefined) }),
  { name: 'discovered', value: ({ discovered_date: date }) => minute(date) },
  { name: 'class', value: ({ match: [first] }) => first?.class },
  {
    name: 'escalated',
    value: ({ escalations }) => escalations.map((each) => each.escalation_type),
    hidden: true,
  },
  { name: 'mx', title: 'MX', value: ({ mx_exists: exists }) => (exists ? 'yes' : 'no') },
  { name: 'resolved', value: ({ sightings }) => minute(sightings?.last) },
  member('id', { keep: true }),
  { name: 'explanation', value: ({ match: [first] }) => first?.explanation, hidden: true },
];

export function domainSections(domain: WatchlistDomain): readonly Section[] {
  const data = (path: string) => memberAt(domain, path);
  const score = domain.risk_score === null ? 'unknown' : `${domain.risk_score} (${domain.risk_score_status})`;
  const head: readonly Detail[] = [
    { name: 'domain', value: domain.domain, colour: 'bold' },
    { name: 'id', value: domain.id },
    {
      name: 'state',
      value: `${domain.state}${domain.assigned_by ? `, by ${domain.assigned_by} ${minute(domain.assigned_date)}` : ''}`,
    },
    { name: 'risk', value: score, colour: riskColour(domain.risk_score) },
    { name: 'discovered', value: minute(domain.discovered_date) },
    { name: 'changed', value: minute(domain.changed_date) },
    { name: 'in DNS', value: `${domain.status}${domain.mx_exists ? ', with mail' : ''}` },
  ];
  return [
    { details: head },
    {
      title: 'Why',
      details: domain.match.map(({ class: kind, explanation }) => ({ name: kind, value: explanation })),
    },
    {
      title: 'Record',
      details: [
        { name: 'registrar', value: data('registrar') },
        { name: 'created', value: day(data('create_date')) },
        { name: 'addresses', value: data('ip.ip') },
        { name: 'name servers', value: data('name_server.host') },
        { name: 'mail servers', value: data('mx.host') },
        { name: 'e-mail', value: data('registrant_contact_email') },
      ],
    },
    {
      title: 'Resolved by us',
      details: [
        ...(domain.sightings?.sensors ?? []).map(({ sensor, first, last, count }) => ({
          name: sensor,
          value: `${minute(first)} to ${minute(last)}, ${counted(count, 'answer')}`,
        })),
        ...[domain.sightings?.clients ?? []].flat().map((clients) => ({
          name: 'clients',
          value: `about ${clients.count} on ${clients.day}`,
        })),
      ],
    },
    {
      title: 'Escalations',
      details: domain.escalations.map((each) => ({
        name: each.escalation_type,
        value: `${minute(each.created)} by ${each.created_by}`,
      })),
    },
  ];
}

export function minute(instant: string | null | undefined): string {
  return instant ? instant.slice(0, 16).replace('T', ' ') : '';
}

function day(number: unknown): string {
  return typeof number === 'number' ? String(number).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') : '';
}
