/** How identity providers know people. */
import {
  type IdentityRow,
  identityOf,
  identityTaken,
  type NewIdentity,
  noIdentity,
  providerEvent,
} from '../../person/provider-rows.ts';
import type { SignOnStore } from '../../person/sign-on-store.ts';
import type { AuditLog } from '../account/audit-log.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { getPerson, readPeople } from './person-queries.ts';
import { getProvider } from './provider-queries.ts';

/** Throws `already-exists` if the subject or the person is linked already. */
export async function insertIdentity(
  sql: Transaction,
  { providerId, subject, personId }: NewIdentity,
  atMs: number,
): Promise<void> {
  const { count } = await sql`insert into identity (provider_id, subject, person_id, created_ms)
    values (${providerId}, ${subject}, ${personId}, ${atMs}) on conflict do nothing`;
  if (count === 0) throw identityTaken();
}

type Identities = Pick<SignOnStore, 'findByIdentity' | 'linkIdentity' | 'listIdentities' | 'unlinkIdentity'>;

export function identities(database: PostgresDatabase, audit: AuditLog): Identities {
  return {
    findByIdentity: async (providerId, subject) => {
      const [found] = await database.read((sql) =>
        readPeople(
          sql,
          sql`select * from person where id =
            (select person_id from identity where provider_id = ${providerId} and subject = ${subject})`,
        ),
      );
      return found;
    },
    linkIdentity: (identity, author) =>
      audit.change(async (sql, append) => {
        const { person, account } = await getPerson(sql, identity.personId);
        const provider = await getProvider(sql, account.id, identity.providerId);
        await insertIdentity(sql, identity, author.atMs);
        const detail = { username: person.name };
        append(providerEvent('identity-provider.link', provider, account.name, detail), author);
      }),
    listIdentities: async (personId) => {
      const rows = await database.read(
        (sql) => sql<IdentityRow[]>`
          select provider_id, name, subject, identity.created_ms from identity
          join identity_provider on identity_provider.id = provider_id
          where person_id = ${personId} order by name`,
      );
      return rows.map(identityOf);
    },
    unlinkIdentity: (personId, providerId, author) =>
      audit.change(async (sql, append) => {
        const { person, account } = await getPerson(sql, personId);
        const { count } = await sql`
          delete from identity where person_id = ${personId} and provider_id = ${providerId}`;
        if (count === 0) throw noIdentity();
        const provider = await getProvider(sql, account.id, providerId);
        const detail = { username: person.name };
        append(providerEvent('identity-provider.unlink', provider, account.name, detail), author);
      }),
  };
}
