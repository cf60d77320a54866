/**
 * The records of the benchmark, in our store and in PostgreSQL, below a directory for each size. What was loaded to the end is marked
 * with a file beside it, which has the figures, and is not loaded again.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Postgres } from '../peers/postgres.ts';
import { measure } from '../process-under-test.ts';
import { writeRecords } from './record-lines.ts';

const run = promisify(execFile);

interface Loaded {
  /** The data directory of ours. */
  readonly data: string;
  readonly postgres: Postgres;
}

export async function loadRecords(directory: string, size: number): Promise<Loaded> {
  mkdirSync(directory, { recursive: true });
  const lines = join(directory, 'records.ndjson');
  const [data, peer] = [join(directory, 'store'), join(directory, 'peer')];
  const writeLines = async () => {
    await writeRecords(lines, size);
    console.log(`${(statSync(lines).size / 1e6).toFixed(0)} MB of JSON`);
  };
  const stored = await once(data, async () => {
    await writeLines();
    return loadStore(data, lines, size);
  });
  console.log(`import ${stored}`);
  const copied = await once(peer, async () => {
    if (!existsSync(lines)) await writeLines();
    const postgres = new Postgres(peer);
    try {
      return `load and index ${loadPeer(postgres, lines).toFixed(0)} s`;
    } finally {
      await postgres.stop();
    }
  });
  console.log(`PostgreSQL: ${copied}`);
  rmSync(lines, { force: true });
  return { data, postgres: new Postgres(peer) };
}

/** The figures of loading a directory, now or earlier. */
async function once(directory: string, load: () => Promise<string>): Promise<string> {
  const mark = `${directory}.loaded`;
  if (existsSync(mark)) return `${readFileSync(mark, 'utf8')} (kept from an earlier run)`;
  rmSync(directory, { recursive: true, force: true });
  const figures = await load();
  writeFileSync(mark, figures);
  return figures;
}

async function loadStore(data: string, lines: string, size: number): Promise<string> {
  const command = ['src/main.ts', 'import', 'records', lines, '--data', data];
  const { seconds, memory } = await measure(process.execPath, command);
  const { stdout } = await run('du', ['-sb', data]);
  const bytes = Math.round(Number.parseInt(stdout, 10) / size);
  return (
    `${seconds.toFixed(0)} s, ${Math.round(size / seconds).toLocaleString('en')} records/s, ` +
    `${memory.toFixed(0)} MB memory, ${bytes} bytes on disk per record`
  );
}

/** What a careful user of PostgreSQL would build for these questions. */
function loadPeer(postgres: Postgres, lines: string): number {
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
