/** Records in PostgreSQL, in a directory of the seeds for each size. What was loaded to the end has a file beside it and is not loaded again. */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext } from '../harness/benchmark.ts';
import { Postgres } from '../peers/postgres.ts';
import { seedLines } from '../serving/seeds.ts';

export async function loadPostgres(count: number, context: BenchContext): Promise<Postgres> {
  const { seeds, after, note } = context;
  // PostgreSQL works as a user of its own.
  chmodSync(seeds, 0o755);
  const directory = join(seeds, `postgres-${count}`);
  const mark = `${directory}.complete`;
  if (!existsSync(mark)) rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const postgres = new Postgres(directory);
  after(() => postgres.stop());
  if (!existsSync(mark)) {
    const seconds = loadLines(postgres, await seedLines('records', count, context));
    note(
      `PostgreSQL has loaded and indexed ${count.toLocaleString('en')} records in ${seconds.toFixed(0)} s`,
    );
    writeFileSync(mark, '');
  }
  return postgres;
}

/** What a careful user of PostgreSQL would build for these questions. */
function loadLines(postgres: Postgres, lines: string): number {
  return postgres.run(`
create extension pg_trgm;
create table record (id serial primary key, name text, first_seen timestamptz, doc jsonb);
create temp table raw (line text);
\\copy raw from '${lines}' with (format csv, delimiter E'\\x01', quote E'\\x02')
insert into record (name, first_seen, doc) select doc->>'domain', (doc->>'first_seen')::timestamptz, doc from (select line::jsonb doc from raw) r;
create index on record using gin (doc jsonb_path_ops);
create index on record using gin (lower(doc #>> '{parsed_whois,registrant_org}') gin_trgm_ops);
create index on record using gin (to_tsvector('simple', doc #>> '{parsed_whois,record}'));
create index on record (first_seen desc, name);
create table value as
  select id record, t.attribute, t.value from record, lateral (
    select p || '.' || k, v from unnest(array['registrant_contact', 'admin_contact', 'technical_contact']) p,
      jsonb_each_text((doc #> array['parsed_whois', p]) - 'email') c (k, v)
    union all select p || '.email', e from unnest(array['registrant_contact', 'admin_contact', 'technical_contact']) p,
      jsonb_array_elements_text(doc #> array['parsed_whois', p, 'email']) e
    union all select k, doc #>> array['parsed_whois', k] from unnest(array['registrar', 'create_date', 'expiration_date', 'registrant_name', 'registrant_org']) k
    union all select k, doc->>k from unnest(array['website_title', 'server_type']) k
    union all select 'soa_email', e from jsonb_array_elements_text(doc->'soa_email') e
    union all select 'analytics_v4_codes', e from jsonb_array_elements_text(doc->'analytics_v4_codes') e
    union all select 'ip.' || k, e->>k from jsonb_array_elements(doc->'ip') e, unnest(array['address', 'country_code', 'isp']) k
    union all select 'ip.asn', a from jsonb_array_elements(doc->'ip') e, jsonb_array_elements_text(e->'asn') a
    union all select p || '.' || k, e->>k from unnest(array['mx', 'name_server']) p, jsonb_array_elements(doc->p) e, unnest(array['host', 'domain']) k
    union all select p || '.ip', a from unnest(array['mx', 'name_server']) p, jsonb_array_elements(doc->p) e, jsonb_array_elements_text(e->'ip') a
    union all select 'ssl_info.' || k, e->>k from jsonb_array_elements(doc->'ssl_info') e,
      unnest(array['hash', 'subject', 'common_name', 'issuer_common_name', 'not_before', 'not_after', 'duration']) k
    union all select 'ssl_info.alt_names', a from jsonb_array_elements(doc->'ssl_info') e, jsonb_array_elements_text(e->'alt_names') a
  ) t (attribute, value) where t.value <> '';
create index on value (attribute, value);
create index on value (record);
vacuum analyze;
`);
}
