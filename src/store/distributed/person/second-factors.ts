/** What people sign in with besides a password: authenticator apps, recovery codes and passkeys. */
import type { KeyVault } from '../../key-vault.ts';
import { type PasskeyRow, passkeyOf, passkeyRowOf } from '../../person/person-rows.ts';
import {
  noPasskey,
  noTotpToConfirm,
  passkeyIsKnown,
  personEvent,
  tooManyPasskeys,
  totpIsConfirmed,
  totpOwner,
} from '../../person/person-rules.ts';
import type { PersonStore } from '../../person/person-store.ts';
import type { AuditLog } from '../account/audit-log.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { getPerson } from './person-queries.ts';

interface Needs {
  readonly database: PostgresDatabase;
  readonly audit: AuditLog;
  readonly vault: KeyVault;
}

type Totps = Pick<PersonStore, 'findTotp' | 'beginTotp' | 'confirmTotp' | 'removeTotp' | 'useTotpStep'>;

export function totpMethods({ database, audit, vault }: Needs): Totps {
  return {
    findTotp: async (personId) => {
      const [row] = await database.read(
        (sql) => sql<{ totp_sealed: Buffer | null; totp_confirmed: boolean }[]>`
          select totp_sealed, totp_confirmed from person where id = ${personId}`,
      );
      if (!row?.totp_sealed) return undefined;
      return { secret: vault.open(row.totp_sealed, totpOwner(personId)), confirmed: row.totp_confirmed };
    },
    beginTotp: (personId, secret) =>
      database.writeRepeatable(async (sql) => {
        const sealed = vault.seal(secret, totpOwner(personId));
        const begun = await sql`
          update person set totp_sealed = ${sealed} where id = ${personId} and not totp_confirmed returning id`;
        if (begun.length > 0) return;
        await getPerson(sql, personId);
        throw totpIsConfirmed();
      }),
    confirmTotp: (personId, { step, recoveryDigests }, author) =>
      audit.change(async (sql, append) => {
        const found = await getPerson(sql, personId);
        const confirmed = await sql`update person set totp_confirmed = true, totp_step = ${step}
          where id = ${personId} and not totp_confirmed and totp_sealed is not null returning id`;
        if (confirmed.length === 0) throw noTotpToConfirm();
        await sql`delete from recovery_code where person_id = ${personId}`;
        await sql`insert into recovery_code (person_id, digest)
          select ${personId}, digest from unnest(${recoveryDigests}::text[]) as digest`;
        append(personEvent('totp.set', found), author);
      }),
    removeTotp: (personId, author) =>
      audit.change(async (sql, append) => {
        const found = await getPerson(sql, personId);
        await removeTotp(sql, personId);
        append(personEvent('totp.remove', found), author);
      }),
    // The row is locked by the first of several at once; the others then find its step.
    useTotpStep: (personId, step) =>
      database.write(async (sql) => {
        const used = await sql`update person set totp_step = ${step}
          where id = ${personId} and totp_confirmed and totp_step < ${step} returning id`;
        return used.length === 1;
      }),
  };
}

type Others = Pick<PersonStore, 'resetSecondFactors' | 'useRecoveryCode' | 'countRecoveryCodes'>;

export function recoveryCodeMethods({ database, audit }: Omit<Needs, 'vault'>): Others {
  return {
    resetSecondFactors: (id, author) =>
      audit.change(async (sql, append) => {
        const found = await getPerson(sql, id);
        await removeTotp(sql, id);
        const { count: passkeys } = await sql`delete from passkey where person_id = ${id}`;
        append(personEvent('second-factors.reset', found, { passkeys }), author);
        return passkeys;
      }),
    useRecoveryCode: (personId, digest, author) =>
      audit.change(async (sql, append) => {
        const { count } = await sql`
          delete from recovery_code where person_id = ${personId} and digest = ${digest}`;
        if (count === 0) return false;
        const [{ left }] = await sql<[{ left: number }]>`
          select count(*) as left from recovery_code where person_id = ${personId}`;
        append(personEvent('recovery-code.use', await getPerson(sql, personId), { left }), author);
        return true;
      }),
    countRecoveryCodes: async (personId) => {
      const [{ codes }] = await database.read(
        (sql) => sql<[{ codes: number }]>`
          select count(*) as codes from recovery_code where person_id = ${personId}`,
      );
      return codes;
    },
  };
}

type Passkeys = Pick<
  PersonStore,
  'addPasskey' | 'findPasskey' | 'listPasskeys' | 'usePasskey' | 'removePasskey'
>;

export function passkeyMethods({ database, audit }: Omit<Needs, 'vault'>): Passkeys {
  return {
    addPasskey: (passkey, passkeysMax, author) =>
      audit.change(async (sql, append) => {
        const found = await getPerson(sql, passkey.personId);
        if (found.person.credentials.passkeys >= passkeysMax) throw tooManyPasskeys(passkeysMax);
        const row = passkeyRowOf(passkey, author.atMs);
        const added = await sql`insert into passkey ${sql(row)} on conflict (id) do nothing returning id`;
        if (added.length === 0) throw passkeyIsKnown();
        append(personEvent('passkey.add', found, { name: passkey.name }), author);
      }),
    findPasskey: async (id) => {
      const [row] = await database.read((sql) => sql<PasskeyRow[]>`select * from passkey where id = ${id}`);
      return row && passkeyOf(row);
    },
    listPasskeys: async (personId) => {
      const rows = await database.read(
        (sql) => sql<PasskeyRow[]>`
          select * from passkey where person_id = ${personId} order by created_ms, id`,
      );
      return rows.map(passkeyOf);
    },
    usePasskey: (id, counter, atMs) =>
      database.writeRepeatable(async (sql) => {
        await sql`update passkey set counter = ${counter}, used_ms = ${atMs} where id = ${id}`;
      }),
    removePasskey: (personId, id, author) =>
      audit.change(async (sql, append) => {
        const found = await getPerson(sql, personId);
        const { count } = await sql`delete from passkey where person_id = ${personId} and id = ${id}`;
        if (count === 0) throw noPasskey();
        append(personEvent('passkey.remove', found), author);
      }),
  };
}

async function removeTotp(sql: Transaction, personId: string): Promise<void> {
  await sql`update person set totp_sealed = null, totp_confirmed = false where id = ${personId}`;
  await sql`delete from recovery_code where person_id = ${personId}`;
}
