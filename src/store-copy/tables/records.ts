import { rowChecksum } from '../../store/embedded/domain/row-checksum.ts';
import type { CopiedTable } from '../copied-table.ts';

const noKeys = () => Buffer.alloc(0);
const numbersOf = (column: string) => ({ table: 'record_state', column });

const table = (name: string, distributed: string, ...key: string[]): CopiedTable => ({
  database: 'domains',
  embedded: name,
  distributed,
  key,
});

/** The index is made anew from these. */
export const recordTables: readonly CopiedTable[] = [
  { ...table('domain', 'record_domain', 'id'), lastNumber: numbersOf('last_domain_id') },
  {
    ...table('record', 'record', 'id'),
    computed: {
      embedded: { checksum: ({ id, record }) => rowChecksum(Number(id), String(record)) },
      distributed: { root_keys: noKeys, whois_keys: noKeys, rdap_keys: noKeys },
    },
  },
  { ...table('change', 'record_change', 'id'), lastNumber: numbersOf('last_change_id') },
  {
    ...table('update_log', 'record_update', 'id'),
    lastNumber: numbersOf('last_update_id'),
    // The embedded log goes on behind its last row, which is never removed. A row of no domain stands for one that was.
    from: {
      distributed: `(select id, domain_id, at_ms, written_ms, source, fields from record_update union all
        select last_update_id, 0, 0, 0, '', null from record_state
        where last_update_id > 0 and not exists (select from record_update))`,
    },
  },
  table('tag_definition', 'domain_tag', 'id'),
  table('tagged', 'tagged_domain', 'account_id', 'domain_id', 'tag_id'),
];
