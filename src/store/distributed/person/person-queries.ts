/** Reads people with their accounts, in one statement: one moment, one round trip. */
import { foundOf, type PersonRow } from '../../person/person-rows.ts';
import { noPerson } from '../../person/person-rules.ts';
import type { FoundPerson } from '../../person/person-store.ts';
import { accountOfRow, type FoundAccountRow, selectAccounts } from '../account/caller-queries.ts';
import type { Fragment, Sql } from '../postgres/database.ts';

/** Of the people that `select` selects from `person`, in order of name. */
export async function readPeople(sql: Sql, select: Fragment): Promise<readonly FoundPerson[]> {
  const rows = await sql<(PersonRow & { account: FoundAccountRow })[]>`
    with found as (${select}),
      owner as (${selectAccounts(sql)} where account.id = any(array(select account_id from found)))
    select found.*,
      (select count(*) from passkey where person_id = found.id) as passkeys,
      (select count(*) from identity where person_id = found.id) as identities,
      coalesce((select required from sign_on_policy where account_id = found.account_id), false) as must_sign_on,
      coalesce(same.api_owner, false) as api_owner, same.id as user_id,
      row_to_json(owner) as account
    from found join owner on owner.id = found.account_id
      left join api_user as same on same.username = found.name and same.account_id = found.account_id
    order by found.name`;
  return rows.map((row) => foundOf(row, accountOfRow(row.account)));
}

export async function findPersonById(sql: Sql, id: string): Promise<FoundPerson | undefined> {
  const [found] = await readPeople(sql, sql`select * from person where id = ${id}`);
  return found;
}

/** Throws `not-found`. */
export async function getPerson(sql: Sql, id: string): Promise<FoundPerson> {
  const found = await findPersonById(sql, id);
  if (!found) throw noPerson();
  return found;
}
