import type { CopiedTable } from '../copied-table.ts';

const lowerCase = (text: unknown) => String(text).toLowerCase();

const table = (name: string, ...key: string[]): CopiedTable => ({
  database: 'accounts',
  embedded: name,
  distributed: name,
  key,
});

/** Those that others refer to come first. */
export const accountTables: readonly CopiedTable[] = [
  table('account', 'id'),
  table('product_grant', 'account_id', 'product'),
  table('channel_owner', 'channel'),
  {
    ...table('user', 'id'),
    distributed: 'api_user',
    // Who shares the grant of another user has none to share.
    order: ['shares', 'id'],
    from: {
      embedded: '(select *, pdns_shared_with is not null as shares from user)',
      distributed: '(select *, (pdns_shared_with is not null)::int as shares from api_user)',
    },
    leftOut: { embedded: ['folded'] },
    // Of those whose names differ by case alone the first has it.
    finish: {
      embedded: [
        `update user set folded = lower(username) where id in (select id from
          (select id, row_number() over (partition by lower(username) order by created_ms, id) as number from user) where number = 1)`,
      ],
    },
  },
  table('retired_key', 'digest'),
  {
    ...table('audit', 'number'),
    finish: {
      distributed: [
        `update audit_head set (number, hash) = (select coalesce(max(number), 0), coalesce(
          (select hash from audit order by number desc limit 1), '') from audit)`,
      ],
    },
  },
  {
    ...table('person', 'id'),
    computed: { embedded: { folded: ({ name }) => lowerCase(name) } },
  },
  table('recovery_code', 'person_id', 'digest'),
  table('passkey', 'id'),
  table('web_session', 'id'),
  table('sign_in_link', 'digest'),
  table('sign_in_step', 'digest'),
  table('sign_in_attempt', 'subject'),
  table('identity_provider', 'id'),
  table('identity', 'provider_id', 'subject'),
  table('sign_on_policy', 'account_id'),
  table('sign_on_request', 'digest'),
  table('sign_on_result', 'digest'),
];
