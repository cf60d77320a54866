/** One-time links, and what the server remembers between two requests of one sign-in. */
import { personEvent } from '../../person/person-rules.ts';
import {
  type LinkRow,
  linkDetail,
  linkOf,
  refuseLink,
  type StepRow,
  stepOf,
} from '../../person/session-rows.ts';
import type { SessionStore } from '../../person/session-store.ts';
import type { AuditLog } from '../account/audit-log.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { findPersonById, getPerson } from './person-queries.ts';
import { isOpen } from './time-bounds.ts';

export function links(
  database: PostgresDatabase,
  audit: AuditLog,
): Pick<SessionStore, 'createLink' | 'findLink' | 'useLink'> {
  return {
    createLink: (link, author) =>
      audit.change(async (sql, append) => {
        const { tokenDigest, personId, expiresMs, loopbackOnly } = link;
        const found = await getPerson(sql, personId);
        refuseLink(found);
        await sql`delete from sign_in_link where person_id = ${personId}`;
        await sql`insert into sign_in_link (digest, person_id, created_ms, expires_ms, loopback)
          values (${tokenDigest}, ${personId}, ${author.atMs}, ${expiresMs}, ${loopbackOnly})`;
        append(personEvent('sign-in-link.create', found, linkDetail(link)), author);
      }),
    findLink: (tokenDigest, nowMs) =>
      database.read(async (sql) => {
        const [row] = await sql<LinkRow[]>`
          select * from sign_in_link where digest = ${tokenDigest} and ${isOpen(sql, nowMs)}`;
        const found = row && (await findPersonById(sql, row.person_id));
        return found && { ...linkOf(row), ...found };
      }),
    useLink: (tokenDigest) =>
      database.write(
        async (sql) => (await sql`delete from sign_in_link where digest = ${tokenDigest}`).count === 1,
      ),
  };
}

export function steps(database: PostgresDatabase): Pick<SessionStore, 'createStep' | 'findStep' | 'useStep'> {
  return {
    createStep: ({ tokenDigest, kind, personId, challenge = null, expiresMs }, nowMs) =>
      database.write(async (sql) => {
        await sql`insert into sign_in_step (digest, kind, person_id, challenge, created_ms, expires_ms)
          values (${tokenDigest}, ${kind}, ${personId}, ${challenge}, ${nowMs}, ${expiresMs})`;
      }),
    findStep: async (tokenDigest, nowMs) => {
      const [row] = await database.read(
        (sql) => sql<StepRow[]>`
          select * from sign_in_step where digest = ${tokenDigest} and ${isOpen(sql, nowMs)}`,
      );
      return row && stepOf(row);
    },
    useStep: (tokenDigest) =>
      database.write(
        async (sql) => (await sql`delete from sign_in_step where digest = ${tokenDigest}`).count === 1,
      ),
  };
}

export async function pruneSteps(sql: Transaction, nowMs: number): Promise<void> {
  await sql`delete from sign_in_link where expires_ms <= ${nowMs}`;
  await sql`delete from sign_in_step where expires_ms <= ${nowMs}`;
}
