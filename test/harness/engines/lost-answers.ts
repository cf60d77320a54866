/** Connections to PostgreSQL that end at a chosen moment: before a commit, or after it and before its answer. */
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from './postgres.ts';

/** Ends the connection that waits as described, as soon as there is one; false when `isOver` is true before that. */
export async function endConnection(
  postgres: PostgresServer,
  waitEvent: string,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  while (!isOver()) {
    const ended = await postgres.run(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = '${waitEvent}'`,
    );
    if (ended.length > 0) return true;
    await pause(10);
  }
  return false;
}

/** When it has resolved, a commit that is on disk here waits for a replica that does not exist. */
export async function holdAnswers(postgres: PostgresServer): Promise<void> {
  await nameReplica(postgres, 'nobody');
  // The server reads its settings again when it gets to it. Until then, commits do not wait.
  for (let isHeld = false; !isHeld; ) {
    let isAnswered = false;
    const committing = postgres
      .run("select pg_logical_emit_message(true, 'commit', '')")
      .catch(() => undefined)
      .finally(() => (isAnswered = true));
    isHeld = await endConnection(postgres, 'SyncRep', () => isAnswered);
    await committing;
  }
}

/** Ends the connection whose answer is held, and lets those that follow be answered. */
export async function loseHeldAnswer(postgres: PostgresServer): Promise<void> {
  await endConnection(postgres, 'SyncRep');
  await nameReplica(postgres, '');
}

async function nameReplica(postgres: PostgresServer, name: string): Promise<void> {
  await postgres.run(`alter system set synchronous_standby_names = '${name}'`);
  await postgres.run('select pg_reload_conf()');
}
