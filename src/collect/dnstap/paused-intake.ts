/**
 * An intake that applies backpressure while disk space is low, or the servers of the store are away: sensors are not read, and what they sent before
 * is still written.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../model/problem.ts';
import { type FreeSpace, waitForRoom } from '../../store/free-space.ts';
import type { Intake } from '../../store/rrset-store.ts';

/** Between two readings of the free space. */
const observationsPerReading = 256;
/** Between two attempts at a store that is away. */
const betweenAttemptsMs = 250;

export function pausedIntake(
  intake: Pick<Intake, 'add' | 'flush'>,
  freeSpace: Pick<FreeSpace, 'hasRoom'>,
  signal: AbortSignal,
): Pick<Intake, 'add' | 'flush'> {
  let untilReading = 0;
  return {
    add(observation) {
      const room = intake.add(observation)?.catch((error) => writtenLater(intake, error, signal));
      if (untilReading-- > 0) return room;
      untilReading = observationsPerReading;
      if (freeSpace.hasRoom()) return room;
      untilReading = 0;
      return Promise.all([room, waitForRoom(freeSpace, signal)]).then(() => undefined);
    },
    flush: () => intake.flush(),
  };
}

/** What was added is in memory, so it is only waited for until there is room for more. */
async function writtenLater(
  intake: Pick<Intake, 'flush'>,
  failure: unknown,
  signal: AbortSignal,
): Promise<void> {
  let error = failure;
  while (error !== undefined) {
    if (!(error instanceof Problem && error.code === 'try-again')) throw error;
    await pause(betweenAttemptsMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    error = await intake.flush().then(
      () => undefined,
      (next: unknown) => next,
    );
  }
}
