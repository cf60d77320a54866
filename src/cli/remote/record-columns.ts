/** The columns of domain records, as Enrich and Investigate return them. */
import { riskColour } from '../listing/colour.ts';
import { type Column, member, memberAt } from '../listing/column.ts';

const at = (path: string) => (record: object) => memberAt(record, path);

/** The first of a list, and how many others there are. */
const first = (path: string) => (record: object) => {
  const value = memberAt(record, path);
  if (!Array.isArray(value)) return value;
  return value.length > 1 ? `${value[0]} +${value.length - 1}` : value[0];
};

export const recordColumns: readonly Column<object>[] = [
  member('domain', { keep: true }),
  { name: 'risk_score', title: 'RISK', value: at('domain_risk.risk_score'), colour: riskColour, right: true },
  { name: 'created', value: at('create_date') },
  { name: 'registrar', value: at('registrar') },
  { name: 'registrant', value: at('registrant_org'), hidden: true },
  { name: 'first_ip', title: 'IP', value: first('ip.address') },
  { name: 'country', title: 'CC', value: first('ip.country_code') },
  { name: 'first_name_server', title: 'NAME SERVER', value: first('name_server.host') },
  { name: 'title', value: at('website_title') },
  { name: 'email', value: at('registrant_contact.email'), hidden: true },
];
