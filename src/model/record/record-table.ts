/** Records as rows of a table: one per domain, the main values without wrappers, several values separated by spaces. */

/** The title of a column, and the path of its values in a record. */
const columns: readonly (readonly [title: string, path: string])[] = [
  ['domain', 'domain'],
  ['active', 'active'],
  ['first_seen', 'first_seen'],
  ['create_date', 'create_date'],
  ['expiration_date', 'expiration_date'],
  ['risk_score', 'domain_risk.risk_score'],
  ['popularity_rank', 'popularity_rank'],
  ['registrar', 'registrar'],
  ['registrant_name', 'registrant_name'],
  ['registrant_org', 'registrant_org'],
  ['registrant_email', 'registrant_contact.email'],
  ['registrant_country', 'registrant_contact.country'],
  ['ip', 'ip.address'],
  ['asn', 'ip.asn'],
  ['ip_country_code', 'ip.country_code'],
  ['isp', 'ip.isp'],
  ['name_server', 'name_server.host'],
  ['mx', 'mx.host'],
  ['soa_email', 'soa_email'],
  ['ssl_hash', 'ssl_info.hash'],
  ['ssl_common_name', 'ssl_info.common_name'],
  ['redirect_domain', 'redirect_domain'],
  ['website_title', 'website_title'],
  ['server_type', 'server_type'],
  ['tags', 'tags.label'],
];

export const tableTitles: readonly string[] = columns.map(([title]) => title);

/** Of a shown record, or of one whose values are wrapped. */
export function tableCells(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const cells: Record<string, unknown> = {};
  for (const [title, path] of columns) {
    const found = valuesAt(record, path.split('.'));
    const single = found.length === 1 ? found[0] : undefined;
    cells[title] = typeof single === 'string' || single === undefined ? found.join(' ') : single;
  }
  return cells;
}

/** Descends through lists and `{ value }` wrappers. */
function valuesAt(from: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(from)) return from.flatMap((item) => valuesAt(item, path));
  if (from === undefined || from === null || from === '') return [];
  const [name, ...rest] = path;
  if (name !== undefined) return typeof from === 'object' ? valuesAt(memberOf(from, name), rest) : [];
  return typeof from === 'object' ? valuesAt(memberOf(from, 'value'), []) : [from];
}

function memberOf(from: object, name: string): unknown {
  return Object.hasOwn(from, name) ? (from as Record<string, unknown>)[name] : undefined;
}
