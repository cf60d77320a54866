/** What is asked of the store, of PostgreSQL and of the server: each question in three languages. */
import type { Condition } from '../../src/model/record/condition.ts';
import { recordOf } from './record-lines.ts';

export interface BenchQuery {
  /** Parameters of Investigate. */
  readonly query: Record<string, string>;
  readonly condition: Condition;
  readonly sql: string;
  readonly values: readonly string[];
}

export interface Question {
  readonly name: string;
  /** How many different ones there are. */
  readonly count: number;
  /** How many answers are measured. */
  readonly samples: number;
  readonly counted?: boolean;
  ask(number: number, size: number): BenchQuery;
}

const has = (attribute: string, value: string): Condition => ({
  kind: 'has',
  attributes: [attribute],
  value,
});

const page = (where: string) =>
  `select doc::text from record where ${where} order by first_seen desc, name limit 500`;
const holds = 'doc @> $1::text::jsonb';

/** All values of a page with the number of domains that have each. */
const countedPage = (where: string) =>
  `with page as (select id, doc from record where ${where} order by first_seen desc, name limit 500), ` +
  'wanted as (select distinct v.attribute, v.value from value v join page p on p.id = v.record), ' +
  'counts as (select w.attribute, w.value, (select count(*) from value v where v.attribute = w.attribute and v.value = w.value) domains from wanted w) ' +
  'select (select json_agg(doc::text) from page), (select json_agg(c) from counts c)';

const sampleOf = (number: number, size: number) => recordOf(Math.floor((number * size) / 211) % size, size);

interface Page {
  readonly parameter: string;
  readonly attribute: string;
  readonly value: string;
  readonly part: object;
}

/** Each of them belongs to one domain in a hundred and twenty-eight, and to others than the rest. */
const pages: readonly Page[] = [
  {
    parameter: 'registrar',
    attribute: 'registrar',
    value: 'Registrar 6 LLC',
    part: { parsed_whois: { registrar: 'Registrar 6 LLC' } },
  },
  {
    parameter: 'nameserver_domain',
    attribute: 'name_server.domain',
    value: 'dns6.example',
    part: { name_server: [{ domain: 'dns6.example' }] },
  },
  { parameter: 'asn', attribute: 'ip.asn', value: '64506', part: { ip: [{ asn: [64_506] }] } },
  {
    parameter: 'ssl_issuer_common_name',
    attribute: 'ssl_info.issuer_common_name',
    value: 'Issuer 6',
    part: { ssl_info: [{ issuer_common_name: 'Issuer 6' }] },
  },
];

export const questions: readonly Question[] = [
  {
    name: 'pivot on an address',
    count: 200,
    samples: 4000,
    ask: (number, size) => {
      const address = sampleOf(number, size).ip[0]?.address ?? '';
      return {
        query: { ip: address },
        condition: has('ip.address', address),
        sql: page(holds),
        values: [JSON.stringify({ ip: [{ address }] })],
      };
    },
  },
  {
    name: 'pivot on a certificate',
    count: 200,
    samples: 4000,
    ask: (number, size) => {
      const hash = sampleOf(number, size).ssl_info[0]?.hash ?? '';
      return {
        query: { ssl_hash: hash },
        condition: has('ssl_info.hash', hash),
        sql: page(holds),
        values: [JSON.stringify({ ssl_info: [{ hash }] })],
      };
    },
  },
  {
    name: 'three values, two of them of half of all domains',
    count: 100,
    samples: 4000,
    ask: (number, size) => {
      const title = sampleOf(number, size).website_title;
      const query = {
        registrar: 'Registrar 0 LLC',
        ssl_issuer_common_name: 'Issuer 0',
        website_title: title,
      };
      const parts = {
        parsed_whois: { registrar: 'Registrar 0 LLC' },
        ssl_info: [{ issuer_common_name: 'Issuer 0' }],
        website_title: title,
      };
      const of = [
        has('registrar', 'Registrar 0 LLC'),
        has('ssl_info.issuer_common_name', 'Issuer 0'),
        has('website_title', title),
      ];
      return { query, condition: { kind: 'and', of }, sql: page(holds), values: [JSON.stringify(parts)] };
    },
  },
  {
    name: 'part of an organization',
    count: 60,
    samples: 3000,
    ask: (number, size) => {
      const text = sampleOf(number, size).parsed_whois.registrant_org.slice(2);
      const sql = page("lower(doc #>> '{parsed_whois,registrant_org}') like $1");
      const condition: Condition = { kind: 'contains', attributes: ['registrant_org'], text };
      return { query: { registrant_org: text }, condition, sql, values: [`%${text}%`] };
    },
  },
  {
    name: 'words of the WHOIS record',
    count: 60,
    samples: 3000,
    ask: (number, size) => {
      const text = sampleOf(number, size).parsed_whois.registrant_name;
      const vector = "to_tsvector('simple', doc #>> '{parsed_whois,record}')";
      return {
        query: { whois: text },
        condition: { kind: 'whois', over: 'latest', text },
        sql: page(`${vector} @@ phraseto_tsquery('simple', $1)`),
        values: [text],
      };
    },
  },
  {
    name: 'page of 500 with all counts',
    count: pages.length,
    samples: 1000,
    counted: true,
    ask: (number) => {
      const { parameter, attribute, value, part } = pages[number % pages.length] as Page;
      return {
        query: { [parameter]: value },
        condition: has(attribute, value),
        sql: countedPage(holds),
        values: [JSON.stringify(part)],
      };
    },
  },
];
