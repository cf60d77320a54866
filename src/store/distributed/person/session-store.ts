/** Sign-in in PostgreSQL: sessions, links, steps and attempts. What works once is deleted by the one who uses it: only one node can. */
import { newId } from '../../../model/account/api-key.ts';
import { personEvent } from '../../person/person-rules.ts';
import {
  aheadMaxMs,
  foundSessionOf,
  noSession,
  refuseSignIn,
  rotationMs,
  type SessionRow,
  sessionOf,
} from '../../person/session-rows.ts';
import type { FoundSession, SessionStore } from '../../person/session-store.ts';
import { AuditLog } from '../account/audit-log.ts';
import type { PostgresDatabase, Sql } from '../postgres/database.ts';
import { findPersonById, getPerson } from './person-queries.ts';
import { attempts, pruneAttempts } from './sign-in-attempts.ts';
import { links, pruneSteps, steps } from './sign-in-steps.ts';
import { isCurrent } from './time-bounds.ts';

/** Who opened the database closes it. */
export function openSessionStore(database: PostgresDatabase): SessionStore {
  const audit = new AuditLog(database);
  return {
    ...beginning(database, audit),
    ...finding(database),
    ...ending(audit),
    ...links(database, audit),
    ...steps(database),
    ...attempts(database),
    pruneSessions: (nowMs, { idleMs, totalMs }) =>
      database.writeRepeatable(async (sql) => {
        await sql`delete from web_session
          where created_ms <= ${nowMs - totalMs} or seen_ms <= ${nowMs - idleMs}`;
        await pruneSteps(sql, nowMs);
        await pruneAttempts(sql, nowMs);
      }),
    close: async () => undefined,
  };
}

type Beginning = Pick<SessionStore, 'createSession' | 'touchSession' | 'rotateSession'>;

function beginning(database: PostgresDatabase, audit: AuditLog): Beginning {
  return {
    createSession: (given, author) =>
      audit.change(async (sql, append) => {
        const { personId, tokenDigest, address, agent, method, failures = 0, replaces } = given;
        const found = await getPerson(sql, personId);
        refuseSignIn(found);
        if (replaces !== undefined) await sql`delete from web_session where id = ${replaces}`;
        const { atMs } = author;
        const id = newId();
        await sql`insert into web_session (id, person_id, digest, created_ms, seen_ms, address, agent)
          values (${id}, ${personId}, ${tokenDigest}, ${atMs}, ${atMs}, ${address}, ${agent})`;
        append(personEvent('session.create', found, { method, address, session: id, failures }), author);
        return { id, personId, createdMs: atMs, seenMs: atMs, address, agent };
      }),
    touchSession: (id, nowMs) =>
      database.writeRepeatable(async (sql) => {
        await sql`update web_session set seen_ms = ${nowMs} where id = ${id}`;
      }),
    // The row is locked by the first of several at once; the others then find another token in it.
    rotateSession: (tokenDigest, newDigest, nowMs) =>
      database.write(async (sql) => {
        const { count } = await sql`update web_session set previous_digest = digest,
          previous_until_ms = ${nowMs + rotationMs}, digest = ${newDigest}, must_rotate = false
          where digest = ${tokenDigest}`;
        return count === 1;
      }),
  };
}

type Finding = Pick<SessionStore, 'findSession' | 'findSessionById' | 'listSessions'>;

function finding(database: PostgresDatabase): Finding {
  return {
    findSession: (digest, nowMs, limits) =>
      database.read(async (sql) => {
        const [row] = await sql<SessionRow[]>`select * from web_session
          where (digest = ${digest} or (previous_digest = ${digest}
              and previous_until_ms > ${nowMs} and previous_until_ms <= ${nowMs + aheadMaxMs}))
            and ${isCurrent(sql, nowMs, limits)}
          order by digest = ${digest} desc limit 1`;
        return withPerson(sql, row);
      }),
    findSessionById: (id, nowMs, limits) =>
      database.read(async (sql) => {
        const [row] = await sql<SessionRow[]>`select * from web_session
          where id = ${id} and ${isCurrent(sql, nowMs, limits)}`;
        return withPerson(sql, row);
      }),
    listSessions: async (personId, nowMs, limits) => {
      const rows = await database.read(
        (sql) => sql<SessionRow[]>`select * from web_session
          where person_id = ${personId} and ${isCurrent(sql, nowMs, limits)} order by created_ms desc, id`,
      );
      return rows.map(sessionOf);
    },
  };
}

async function withPerson(sql: Sql, row: SessionRow | undefined): Promise<FoundSession | undefined> {
  const found = row && (await findPersonById(sql, row.person_id));
  return found && foundSessionOf(row, found);
}

function ending(audit: AuditLog): Pick<SessionStore, 'endSession' | 'endSessions'> {
  return {
    endSession: (personId, session, author) =>
      audit.change(async (sql, append) => {
        const { count } = await sql`
          delete from web_session where person_id = ${personId} and id = ${session}`;
        if (count === 0) throw noSession();
        append(personEvent('session.end', await getPerson(sql, personId), { session }), author);
      }),
    endSessions: (personId, except = '', author) =>
      audit.change(async (sql, append) => {
        const { count: ended } = await sql`
          delete from web_session where person_id = ${personId} and id <> ${except}`;
        if (ended > 0) append(personEvent('session.end', await getPerson(sql, personId), { ended }), author);
        return ended;
      }),
  };
}
