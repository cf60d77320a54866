/** Rows of the table `web_session` of accounts.db. Changes must be called within a write transaction. */

import { aheadMaxMs } from '../../person/session-rows.ts';
import type { SessionLimits } from '../../person/session-store.ts';
import type { Database } from '../database.ts';

const isCurrent = `created_ms > :now - :total and created_ms <= :now + ${aheadMaxMs}
  and seen_ms > :now - :idle and seen_ms <= :now + ${aheadMaxMs}`;

export function prepareSessions(database: Database) {
  return {
    insert: database.prepare(
      `insert into web_session (id, person_id, digest, created_ms, seen_ms, address, agent)
       values (:id, :person_id, :digest, :at_ms, :at_ms, :address, :agent)`,
    ),
    byDigest: database.prepare(`select * from web_session where digest = :digest and ${isCurrent}`),
    byId: database.prepare(`select * from web_session where id = :id and ${isCurrent}`),
    byPreviousDigest: database.prepare(
      `select * from web_session where previous_digest = :digest and previous_until_ms > :now
         and previous_until_ms <= :now + ${aheadMaxMs} and ${isCurrent}`,
    ),
    touch: database.prepare('update web_session set seen_ms = ? where id = ?'),
    rotate: database.prepare(
      `update web_session set previous_digest = digest, previous_until_ms = :until_ms, digest = :next, must_rotate = 0
       where digest = :digest`,
    ),
    list: database.prepare(
      `select * from web_session where person_id = :person_id and ${isCurrent} order by created_ms desc, id`,
    ),
    end: database.prepare('delete from web_session where person_id = ? and id = ?'),
    replace: database.prepare('delete from web_session where id = ?'),
    endOthers: database.prepare('delete from web_session where person_id = ? and id <> ?'),
    prune: database.prepare(
      'delete from web_session where created_ms <= :now - :total or seen_ms <= :now - :idle',
    ),
  };
}

export function boundsOf(nowMs: number, { idleMs, totalMs }: SessionLimits) {
  return { now: nowMs, idle: idleMs, total: totalMs };
}
