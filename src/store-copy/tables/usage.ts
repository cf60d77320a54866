import type { CopiedTable } from '../copied-table.ts';

const table = (name: string, distributed: string, ...key: string[]): CopiedTable => ({
  database: 'usage',
  embedded: name,
  distributed,
  key,
});

/** Windows are numbered for each counter here, and for all together there. */
const renumbered = (name: string, columns: string) => `update ${name} set n = ordered.n from
  (select ${columns}, window_ms, row_number() over (partition by ${columns} order by n) as n from ${name}) as ordered
  where (${columns
    .split(', ')
    .map((column) => `${name}.${column}`)
    .join(', ')}, ${name}.window_ms) = (${columns
    .split(', ')
    .map((column) => `ordered.${column}`)
    .join(', ')}, ordered.window_ms)`;

/** Counters of three kinds are one table there. */
export const usageTables: readonly CopiedTable[] = [
  {
    ...table('window_count', 'usage_count', 'counter', 'window_ms'),
    only: { distributed: "kind = 'window'" },
    renamed: { used: 'value', n: 'entered' },
    computed: { distributed: { kind: () => 'window' } },
    leftOut: { distributed: ['at_ms'] },
    uncompared: ['n'],
    finish: { embedded: [renumbered('window_count', 'counter')] },
  },
  {
    ...table('bucket', 'usage_count', 'counter'),
    only: { distributed: "kind = 'bucket'" },
    renamed: { full_us: 'value' },
    computed: { distributed: { kind: () => 'bucket', window_ms: () => 0 } },
    leftOut: { distributed: ['at_ms', 'entered'] },
  },
  {
    ...table('grant_log', 'usage_grant', 'counter', 'n'),
    finish: {
      distributed: [
        `delete from usage_count where kind = 'sliding'`,
        `insert into usage_count (counter, kind, window_ms, value, at_ms)
         select distinct on (counter) counter, 'sliding', 0, n, at_ms from usage_grant order by counter, n desc`,
      ],
    },
  },
  {
    ...table('tally', 'usage_tally', 'owner', 'item', 'period', 'window_ms'),
    renamed: { n: 'entered' },
    uncompared: ['n'],
    finish: { embedded: [renumbered('tally', 'owner, item, period')] },
  },
  {
    ...table('mark', 'usage_text', 'name'),
    converted: {
      text: { toDistributed: (text) => JSON.stringify(text), toEmbedded: (text) => JSON.parse(String(text)) },
    },
  },
  table('claim', 'usage_claim', 'id'),
  table('daily_use', 'daily_use', 'account_id', 'day_ms', 'username', 'item'),
  table('key_use', 'key_use', 'user_id'),
];
