import { hash } from 'node:crypto';
import type { CopiedTable } from '../copied-table.ts';

const always = (value: number) => () => value;

const utf8 = {
  toDistributed: (value: unknown) => Buffer.from(String(value)),
  toEmbedded: (value: unknown) => (value as Buffer).toString(),
};

const names = (name: string, distributed: string, ...key: string[]): CopiedTable => ({
  database: 'names',
  embedded: name,
  distributed,
  key,
});

const risks = (name: string, distributed: string, ...key: string[]): CopiedTable => ({
  database: 'risks',
  embedded: name,
  distributed,
  key,
});

/** The holders of leases have ended: a job can be leased when it is due. */
const unleased = (table: string) => `(select kind, subject, due_ms, attempts, set_ms,
  case when lease is null then ready_ms else due_ms end as ready_ms,
  case when lease is null then again_ms end as again_ms from ${table})`;

export const pipelineTables: readonly CopiedTable[] = [
  names('domain', 'reported_name', 'name'),
  {
    ...names('total', 'name_total', 'domains'),
    computed: { distributed: { id: always(1), last_batch: always(0) } },
    isNeverEmpty: true,
  },
  { ...names('batch', 'name_batch', 'number'), lastNumber: { table: 'name_total', column: 'last_batch' } },
  names('untold', 'unpublished_name', 'batch', 'name'),
  { ...names('source', 'name_source', 'name'), renamed: { place: 'checkpoint' } },
  {
    ...risks('list', 'reputation_list', 'id'),
    renamed: { reading_id: 'snapshot_id', place: 'checkpoint' },
  },
  risks('reading', 'reputation_snapshot', 'number'),
  { ...risks('listed', 'listed_domain', 'list', 'domain'), renamed: { reading: 'snapshot' } },
  risks('verdict_change', 'verdict_change', 'id'),
  risks('bad_domain', 'bad_domain', 'id'),
  {
    ...risks('link', 'risk_link', 'id'),
    converted: { key: utf8 },
    computed: { distributed: { digest: ({ key }) => hash('sha256', String(key), 'buffer') } },
    finish: {
      distributed: [`select setval('risk_link_id', max(id)) from risk_link having max(id) > 0`],
    },
  },
  risks('bad_link', 'bad_link', 'link', 'weight', 'domain'),
  {
    ...risks('total', 'risk_total', 'bad_domains'),
    computed: { distributed: { id: always(1) } },
    isNeverEmpty: true,
  },
  {
    ...risks('reader', 'risk_checkpoint', 'name'),
    renamed: { name: 'consumer', place: 'checkpoint' },
  },
  {
    database: 'jobs',
    embedded: 'job',
    distributed: 'job',
    key: ['kind', 'subject'],
    from: { embedded: unleased('job'), distributed: unleased('job') },
    leftOut: { embedded: ['lease'], distributed: ['lease'] },
  },
  { database: 'jobs', embedded: 'clock', distributed: 'job_clock', key: ['id'] },
];
