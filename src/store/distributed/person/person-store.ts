/**
 * People in PostgreSQL, and what they sign in with. Secrets of authenticator apps are encrypted, recovery codes are digests, passwords argon2id
 * hashes.
 */
import type { KeyVault } from '../../key-vault.ts';
import { personEvent } from '../../person/person-rules.ts';
import type { PersonStore } from '../../person/person-store.ts';
import { AuditLog } from '../account/audit-log.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { createPerson, removePerson, updatePerson } from './person-changes.ts';
import { findPersonById, getPerson, readPeople } from './person-queries.ts';
import { passkeyMethods, recoveryCodeMethods, totpMethods } from './second-factors.ts';

/** Who opened the database closes it. */
export function openPersonStore(database: PostgresDatabase, vault: KeyVault): PersonStore {
  const audit = new AuditLog(database);
  return {
    ...changing(audit),
    ...finding(database),
    ...preferences(database),
    ...passwords(database, audit),
    ...totpMethods({ database, audit, vault }),
    ...recoveryCodeMethods({ database, audit }),
    ...passkeyMethods({ database, audit }),
    close: async () => undefined,
  };
}

function changing(audit: AuditLog): Pick<PersonStore, 'createPerson' | 'updatePerson' | 'removePerson'> {
  return {
    createPerson: (person, author) =>
      audit.change((sql, append) => createPerson(person, { sql, append, author })),
    updatePerson: (id, change, author, rule) =>
      audit.change((sql, append) => updatePerson(id, { change, rule }, { sql, append, author })),
    removePerson: (id, author, rule) =>
      audit.change((sql, append) => removePerson(id, rule, { sql, append, author })),
  };
}

function finding(
  database: PostgresDatabase,
): Pick<PersonStore, 'findPerson' | 'findPersonById' | 'listPeople'> {
  return {
    findPerson: async (name) => {
      const [found] = await database.read((sql) =>
        readPeople(sql, sql`select * from person where lower(name) = lower(${name} collate "C")`),
      );
      return found;
    },
    findPersonById: (id) => database.read((sql) => findPersonById(sql, id)),
    listPeople: ({ accountId, limit }) =>
      database.read((sql) => {
        const ofAccount = accountId === undefined ? sql`` : sql`where account_id = ${accountId}`;
        return readPeople(sql, sql`select * from person ${ofAccount} order by name limit ${limit}`);
      }),
  };
}

function preferences(database: PostgresDatabase): Pick<PersonStore, 'setPreferences'> {
  return {
    setPreferences: (id, chosen) =>
      database.writeRepeatable(async (sql) => {
        await sql`update person set preferences = ${JSON.stringify(chosen)} where id = ${id}`;
        return (await getPerson(sql, id)).person;
      }),
  };
}

function passwords(
  database: PostgresDatabase,
  audit: AuditLog,
): Pick<PersonStore, 'findPasswordHash' | 'setPasswordHash'> {
  return {
    findPasswordHash: async (personId) => {
      const [row] = await database.read(
        (sql) => sql<{ password: string | null }[]>`select password from person where id = ${personId}`,
      );
      return row?.password ?? undefined;
    },
    setPasswordHash: (personId, hash, author) =>
      audit.change(async (sql, append) => {
        const found = await getPerson(sql, personId);
        await sql`update person set password = ${hash} where id = ${personId}`;
        append(personEvent(hash === null ? 'password.remove' : 'password.set', found), author);
      }),
  };
}
