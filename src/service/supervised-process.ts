/**
 * A process of the server under its supervisor. It starts when it is ordered to, reports a failure in words, ends when the supervisor does,
 * and leaves signals of the terminal to it.
 */
import { failureOf } from '../supervisor/failure.ts';
import type { SupervisedRole } from '../supervisor/messages.ts';
import { SupervisorLink } from '../supervisor/supervisor-link.ts';
import { loadService, type ServiceNeeds, startService } from './start-service.ts';

export async function runSupervisedProcess(role: SupervisedRole, needs: ServiceNeeds): Promise<void> {
  const link = new SupervisorLink(process);
  // Nobody would end it otherwise, and stored data survives it at any time.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('SIGINT', () => undefined);
  let stopWhenStarted: (() => void) | undefined;
  process.on('SIGTERM', () => stopWhenStarted?.());
  const fail = (error: unknown) =>
    link.send({ kind: 'failed', failure: failureOf(error) }, () => process.exit(1));
  try {
    await loadService(role);
    const { settings, name, restarts } = await link.order;
    const service = await startService(settings, { ...needs, supervision: { name, restarts, link } });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= service.stop().then(() => link.send({ kind: 'stopped' }, () => process.exit(0)));
      return stopped.catch(fail);
    };
    stopWhenStarted = stop;
    link.answerWith({
      counters: () => ({ ...service.progress() }),
      metrics: service.metrics,
      printFirstScreen: async (screen) => {
        const { printFirstScreen } = await import('../cli/serve/first-screen.ts');
        await printFirstScreen(service, { settings, ...screen }, needs).catch(fail);
      },
      stop,
    });
    link.send({ kind: 'started', url: service.url });
  } catch (error) {
    fail(error);
  }
}
