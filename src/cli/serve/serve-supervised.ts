/** `serve` with role `all`: two processes, of which this one is the supervisor. */
import type { ProcessState } from '../../model/health/process-state.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { SupervisedServer } from '../../supervisor/supervisor.ts';
import type { CliNeeds } from '../needs.ts';
import { announceRunning } from '../running/announce-running.ts';
import { endWhenDataIsGone } from './data-directory-watch.ts';
import type { ServeStart } from './serve-start.ts';
import { showProgress } from './show-progress.ts';
import { nextSignal, printStopping } from './stop-signals.ts';

const interruptedCode = 130;

/** The processes load their code while the rest of the start is awaited. */
export async function serveSupervised(
  initial: Settings,
  start: Promise<ServeStart>,
  needs: CliNeeds,
): Promise<void> {
  const { version, clock } = needs;
  let onChange: (processes: readonly ProcessState[]) => void = () => undefined;
  const server = await needs.superviseService(
    initial,
    start.then(({ config }) => config.settings),
    (processes) => onChange(processes),
  );
  const signal = nextSignal();
  if ((await Promise.race([server.start(), signal])) !== undefined) {
    server.kill();
    await server.stop();
    process.exitCode = interruptedCode;
    return;
  }
  const stopped = untilStopped(server, signal);
  const { config, where, world } = await start;
  const { settings, effective } = config;
  const { url } = server;
  const running = announceRunning(settings.data, {
    url,
    version,
    role: settings.role,
    startedMs: clock.now(),
    effective,
    processes: server.processes(),
  });
  onChange = running.update;
  endWhenDataIsGone(settings.data, { isThere: running.isThere, kill: () => server.kill() });
  try {
    const { brands = [], ownDomains = [] } = world ?? {};
    await server.printFirstScreen({ where, ...(world ? { world: { brands, ownDomains } } : {}) });
    if (world) showProgress(() => server.counters(), stopped);
    await server.workerStarted;
  } catch (error) {
    await server.stop();
    running.withdraw();
    throw error;
  }
  await stopped.finally(running.withdraw);
}

/** The first signal drains requests; the second one ends all processes immediately. */
async function untilStopped(server: SupervisedServer, signal: Promise<NodeJS.Signals>): Promise<void> {
  printStopping(await signal);
  void nextSignal().then(() => {
    server.kill();
    process.exit(interruptedCode);
  });
  if (!(await server.stop())) process.exitCode = 1;
}
