/** `serve --role api` and `--role worker`: the service in this process. */
import type { CliNeeds, Service } from '../needs.ts';
import { announceRunning } from '../running/announce-running.ts';
import { endWhenDataIsGone } from './data-directory-watch.ts';
import { printFirstScreen } from './first-screen.ts';
import type { ServeStart } from './serve-start.ts';
import { showProgress } from './show-progress.ts';
import { nextSignal, printStopping } from './stop-signals.ts';

export async function serveAlone(start: ServeStart, needs: CliNeeds): Promise<void> {
  const { settings, effective } = start.config;
  const service = await needs.startService(settings);
  const stopped = untilStopped(service);
  const { url } = service;
  const { data, role } = settings;
  const { version, clock } = needs;
  const running = announceRunning(data, { url, version, role, startedMs: clock.now(), effective });
  endWhenDataIsGone(data, { isThere: running.isThere, kill: () => undefined });
  try {
    await printFirstScreen(service, { ...start, settings }, needs);
    if (start.world) showProgress(() => ({ ...service.progress() }), stopped);
  } catch (error) {
    await service.stop();
    running.withdraw();
    throw error;
  }
  await stopped.finally(running.withdraw);
}

/** The first signal drains requests; the second one ends the process immediately. */
async function untilStopped(service: Service): Promise<void> {
  printStopping(await nextSignal());
  void nextSignal().then(() => process.exit(130));
  await service.stop();
}
