/** An intake that applies backpressure while disk space is low: sensors are not read, and what they sent before is still written. */
import { type FreeSpace, waitForRoom } from '../../store/free-space.ts';
import type { Intake } from '../../store/rrset-store.ts';

/** Between two readings of the free space. */
const observationsPerReading = 256;

export function pausedIntake(
  intake: Pick<Intake, 'add' | 'flush'>,
  freeSpace: Pick<FreeSpace, 'hasRoom'>,
  signal: AbortSignal,
): Pick<Intake, 'add' | 'flush'> {
  let untilReading = 0;
  return {
    add(observation) {
      const room = intake.add(observation);
      if (untilReading-- > 0) return room;
      untilReading = observationsPerReading;
      if (freeSpace.hasRoom()) return room;
      untilReading = 0;
      return Promise.all([room, waitForRoom(freeSpace, signal)]).then(() => undefined);
    },
    flush: () => intake.flush(),
  };
}
