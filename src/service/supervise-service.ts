/** Connects the supervisor to the log and the output of this process. */
import { once } from 'node:events';
import { createLog } from '../log.ts';
import type { Clock } from '../model/clock.ts';
import type { ProcessState } from '../model/health/process-state.ts';
import type { Settings } from '../model/settings/settings.ts';
import { type SupervisedServer, type SuperviseNeeds, Supervisor } from '../supervisor/supervisor.ts';
import { endStart } from './small-heap.ts';

export interface SuperviseServiceNeeds {
  readonly settings: Promise<Settings>;
  /** What this process needs of them itself, before they are complete. */
  readonly own: Pick<Settings, 'log' | 'supervisor'>;
  readonly clock: Clock;
  readonly node: string;
  readonly program: SuperviseNeeds['program'];
  /** Of its processes. */
  readonly environment: NodeJS.ProcessEnv;
  readonly onChange: (processes: readonly ProcessState[]) => void;
}

export function superviseService(needs: SuperviseServiceNeeds): SupervisedServer {
  const { own, clock } = needs;
  const { logger, relay, flush } = createLog({ log: own.log, role: 'supervisor' }, clock);
  const out = process.stdout;
  return new Supervisor({
    ...needs,
    ...own.supervisor,
    log: relay,
    out: {
      // Nobody reads it any more when it cannot be written.
      write: (lines) => !out.writable || out.write(lines),
      drained: async () => void (await once(out, 'drain').catch(() => undefined)),
    },
    onLoss: ({ role, restarts, lastEnd }, waitMs) =>
      logger.error(
        { process: role, restarts, waitMs },
        `the ${role} process ${lastEnd}; it is started again`,
      ),
    onRunning: ({ role, pid, restarts }) => {
      if (restarts === 0) endStart({ mayGrow: false });
      if (restarts > 0) logger.info({ process: role, restarts, pid }, `the ${role} process works again`);
    },
    onStopped: flush,
  });
}
