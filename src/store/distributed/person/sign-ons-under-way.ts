/** Sign-ins that have left for an identity provider, and what came of them until the browser fetches it. */
import type { KeyVault } from '../../key-vault.ts';
import {
  type RequestRow,
  refuseTooManyRequests,
  requestOf,
  requestRowOf,
  resultOwner,
} from '../../person/sign-on-rows.ts';
import type { SignOnRequest, SignOnStore } from '../../person/sign-on-store.ts';
import type { Fragment, PostgresDatabase, Sql, Transaction } from '../postgres/database.ts';
import { isOpen } from './time-bounds.ts';

type UnderWay = Pick<
  SignOnStore,
  | 'createRequest'
  | 'findRequest'
  | 'findRequestById'
  | 'useRequest'
  | 'createResult'
  | 'findResult'
  | 'useResult'
  | 'pruneSignOns'
>;

export function signOnsUnderWay(database: PostgresDatabase, vault: KeyVault): UnderWay {
  return {
    ...requests(database, vault),
    ...results(database, vault),
    pruneSignOns: (nowMs) =>
      database.writeRepeatable(async (sql) => {
        await pruneRequests(sql, nowMs);
        await sql`delete from sign_on_result where expires_ms <= ${nowMs}`;
      }),
  };
}

type Requests = Pick<SignOnStore, 'createRequest' | 'findRequest' | 'findRequestById' | 'useRequest'>;

function requests(database: PostgresDatabase, vault: KeyVault): Requests {
  const find = async (sql: Sql, condition: Fragment, nowMs: number): Promise<SignOnRequest | undefined> => {
    const [row] = await sql<RequestRow[]>`select * from sign_on_request
      where ${condition} and ${isOpen(sql, nowMs)}`;
    return row && requestOf(row, vault);
  };
  return {
    createRequest: (request, requestsMax, nowMs) =>
      database.write(async (sql) => {
        // One after the other, on all nodes: or several would find room for one.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`${database.schema} sign-on requests`}, 0))`;
        await pruneRequests(sql, nowMs);
        const [{ requests: open }] = await sql<[{ requests: number }]>`
          select count(*) as requests from sign_on_request`;
        refuseTooManyRequests(open, requestsMax);
        await sql`insert into sign_on_request ${sql(requestRowOf(request, vault, nowMs))}`;
      }),
    findRequest: (stateDigest, nowMs) =>
      database.read((sql) => find(sql, sql`digest = ${stateDigest}`, nowMs)),
    findRequestById: (requestId, nowMs) =>
      database.read((sql) => find(sql, sql`request_id = ${requestId}`, nowMs)),
    useRequest: (stateDigest) =>
      database.write(
        async (sql) => (await sql`delete from sign_on_request where digest = ${stateDigest}`).count === 1,
      ),
  };
}

function results(
  database: PostgresDatabase,
  vault: KeyVault,
): Pick<SignOnStore, 'createResult' | 'findResult' | 'useResult'> {
  return {
    createResult: ({ tokenDigest, content, expiresMs }, nowMs) =>
      database.write(async (sql) => {
        const sealed = vault.seal(content, resultOwner(tokenDigest));
        await sql`insert into sign_on_result (digest, sealed, created_ms, expires_ms)
          values (${tokenDigest}, ${sealed}, ${nowMs}, ${expiresMs})`;
      }),
    findResult: async (tokenDigest, nowMs) => {
      const [row] = await database.read(
        (sql) => sql<{ sealed: Buffer }[]>`
          select sealed from sign_on_result where digest = ${tokenDigest} and ${isOpen(sql, nowMs)}`,
      );
      return row && vault.open(row.sealed, resultOwner(tokenDigest));
    },
    useResult: (tokenDigest) =>
      database.write(
        async (sql) => (await sql`delete from sign_on_result where digest = ${tokenDigest}`).count === 1,
      ),
  };
}

async function pruneRequests(sql: Transaction, nowMs: number): Promise<void> {
  await sql`delete from sign_on_request where expires_ms <= ${nowMs}`;
}
