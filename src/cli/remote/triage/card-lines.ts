/** The card of a domain: why it matched, its risk with the reasons, what is known of it, and where its screenshot is. */
import { minute } from '../detect/watchlist-domain.ts';
import { hostOf, marksInWords, nameSpans, punycodeOf } from './name-spans.ts';
import { riskStyle } from './row-line.ts';
import { type Line, type Style, span, wrapped } from './styled-line.ts';
import type { TriageDetail, TriageRow } from './triage-api.ts';

const matchesShown = 3;
const reasonsShown = 8;
const valuesShown = 6;
const notesShown = 3;
const labelWidth = 12;

export function cardLines(
  row: TriageRow,
  detail: TriageDetail | { readonly error: string } | undefined,
  width: number,
): readonly Line[] {
  const field = (label: string, text: string, ...styles: readonly Style[]): readonly Line[] =>
    text === ''
      ? []
      : wrapped(text, Math.max(10, width - labelWidth)).map((part, index) => [
          span((index === 0 ? label : '').padEnd(labelWidth), 'dim'),
          span(part, ...styles),
        ]);
  const punycode = punycodeOf(hostOf(row));
  return [
    [...nameSpans(row)],
    ...field('Punycode', punycode ?? ''),
    ...row.match.slice(0, matchesShown).flatMap((match) => field(match.class, match.explanation)),
    ...field('Marked', marksInWords(row)),
    ...field('Risk', riskText(row), ...riskStyle(row.risk_score)),
    ...detailLines(detail, field),
    ...field(
      'Decided',
      row.assigned_by ? `${row.state} by ${row.assigned_by}, ${minute(row.assigned_date)}` : '',
    ),
    ...row.escalations.flatMap((each) =>
      field('Escalated', `${each.escalation_type} by ${each.created_by}, ${minute(each.created)}`),
    ),
  ];
}

type Field = (label: string, text: string, ...styles: readonly Style[]) => readonly Line[];

function detailLines(
  detail: TriageDetail | { readonly error: string } | undefined,
  field: Field,
): readonly Line[] {
  if (!detail) return [[span('Loading the rest …', 'dim')]];
  if ('error' in detail) return field('Failed', detail.error, 'red');
  const { watchlist_domain: domain, risk_reasons: reasons = [] } = detail;
  const listed = (values: readonly string[]) =>
    values.length > valuesShown
      ? `${values.slice(0, valuesShown).join(', ')} and ${values.length - valuesShown} more`
      : values.join(', ');
  return [
    ...reasons
      .slice(0, reasonsShown)
      .flatMap(({ points, reason, value }) =>
        field(
          `  ${points > 0 ? '+' : ''}${points}`,
          value === null ? reason : `${reason}: ${value.slice(0, 200)}`,
        ),
      ),
    ...field('Registrar', [domain.registrar ?? '', dayOf(domain.create_date)].filter(Boolean).join(', ')),
    ...field(
      'Addresses',
      listed(
        (domain.ip ?? []).map(({ ip, country_code, isp }) =>
          [ip, country_code.toUpperCase(), isp].filter(Boolean).join(' '),
        ),
      ),
    ),
    ...field('Name servers', listed((domain.name_server ?? []).map(({ host }) => host))),
    ...field('Mail', listed((domain.mx ?? []).map(({ host }) => host))),
    ...field(
      'Screenshot',
      domain.screenshot ? `${minute(domain.screenshot.timestamp)} ${domain.screenshot.src}` : 'there is none',
    ),
    ...field('Assigned', detail.noted?.assignee ?? ''),
    ...(detail.noted?.notes ?? [])
      .slice(0, notesShown)
      .flatMap(({ text, created_by: by, created_date: date }) =>
        field('Note', `${text.slice(0, 300)} (${by}, ${minute(date)})`),
      ),
  ];
}

function riskText({ risk_score: score, risk_score_status: status }: TriageRow): string {
  return score === null ? 'not scored yet' : `${score}${status === null ? '' : `, ${status}`}`;
}

function dayOf(number: number | null | undefined): string {
  return typeof number === 'number'
    ? `registered ${String(number).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')}`
    : '';
}
