/**
 * Changes of people. All have the head of the audit log locked, so nothing that they have read changes before they are committed: not the
 * names in use, not who administers an account.
 */
import { newId } from '../../../model/account/api-key.ts';
import type { Permission } from '../../../model/account/permission.ts';
import { noAccount } from '../../account/account-rows.ts';
import {
  isActingAdmin,
  lastAdmin,
  mustStay,
  peopleListedMax,
  personEvent,
  refuseTooManyPeople,
  sameUserId,
  type UserOfName,
} from '../../person/person-rules.ts';
import type { AdminRule, FoundPerson, NewPerson, PersonChange } from '../../person/person-store.ts';
import type { AccountChanging } from '../account/account-changes.ts';
import { readAccount } from '../account/caller-queries.ts';
import type { Transaction } from '../postgres/database.ts';
import { insertIdentity } from './identities.ts';
import { getPerson } from './person-queries.ts';

export async function createPerson(
  given: NewPerson,
  { sql, append, author }: AccountChanging,
): Promise<FoundPerson> {
  const { name, email = null, permissions } = given;
  const account = await readAccount(sql, sql`account.name = ${given.account}`);
  if (!account) throw noAccount(given.account);
  const [known] = await sql<[{ people: number; is_person: boolean }]>`select
    (select count(*) from person where account_id = ${account.id}) as people,
    exists (select from person where lower(name) = lower(${name} collate "C")) as is_person`;
  // Before the name is checked: a full account must not be able to find out which names are free.
  refuseTooManyPeople(account, given, known.people);
  const users = await sql<UserOfName[]>`
    select id, username, account_id from api_user where lower(username) = lower(${name} collate "C")`;
  const id = sameUserId({ name, accountId: account.id }, users, known.is_person) ?? newId();
  await sql`insert into person (id, account_id, name, email, permissions, created_ms)
    values (${id}, ${account.id}, ${name}, ${email}, ${JSON.stringify(permissions)}, ${author.atMs})`;
  if (given.identity) await insertIdentity(sql, { ...given.identity, personId: id }, author.atMs);
  const found = await getPerson(sql, id);
  append(personEvent('person.create', found, { permissions, email }), author);
  return found;
}

export async function updatePerson(
  id: string,
  given: { readonly change: PersonChange; readonly rule: AdminRule | undefined },
  { sql, append, author }: AccountChanging,
): Promise<FoundPerson> {
  const { change, rule } = given;
  const { email, permissions, disabled, operator } = change;
  const before = await getPerson(sql, id);
  if (disabled || permissions?.includes('admin') === false) await refuseLastAdmin(sql, before, rule);
  const columns = {
    ...(email === undefined ? {} : { email }),
    ...(permissions === undefined ? {} : { permissions: JSON.stringify(permissions) }),
    ...(operator === undefined ? {} : { operator }),
    ...(disabled === undefined ? {} : { disabled_ms: disabled ? author.atMs : null }),
  };
  if (Object.keys(columns).length > 0) await sql`update person set ${sql(columns)} where id = ${id}`;
  if (permissions !== undefined) await sql`update web_session set must_rotate = true where person_id = ${id}`;
  if (disabled) await endAll(sql, id);
  append(personEvent('person.update', before, { ...change }), author);
  return getPerson(sql, id);
}

export async function removePerson(
  id: string,
  rule: AdminRule | undefined,
  { sql, append, author }: AccountChanging,
): Promise<void> {
  const found = await getPerson(sql, id);
  await refuseLastAdmin(sql, found, rule);
  await sql`delete from person where id = ${id}`;
  append(personEvent('person.remove', found), author);
}

async function refuseLastAdmin(
  sql: Transaction,
  found: FoundPerson,
  rule: AdminRule | undefined,
): Promise<void> {
  if (!mustStay(found, rule)) return;
  const others = await sql<{ permissions: string }[]>`
    select permissions from person where account_id = ${found.account.id} and id <> ${found.person.id}
      and disabled_ms is null limit ${peopleListedMax}`;
  const permissionsOf = (row: { permissions: string }) => JSON.parse(row.permissions) as Permission[];
  if (!others.some((row) => isActingAdmin({ permissions: permissionsOf(row) }))) throw lastAdmin(found);
}

async function endAll(sql: Transaction, personId: string): Promise<void> {
  for (const table of ['web_session', 'sign_in_link', 'sign_in_step'])
    await sql`delete from ${sql(table)} where person_id = ${personId}`;
}
