/**
 * The server as two processes on one data directory: one answers requests, the other runs the pipeline. Each is started again when it ends,
 * so that a crash or a hang of one never stops the other. This process opens no store.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Clock } from '../model/clock.ts';
import { minuteMs, secondMs } from '../model/durations.ts';
import { processName } from '../model/health/process-name.ts';
import type { ProcessState } from '../model/health/process-state.ts';
import type { Settings } from '../model/settings/settings.ts';
import { errorOf } from './failure.ts';
import {
  type Counters,
  type FirstScreen,
  type FromProcess,
  type SupervisedRole,
  supervisedRoles,
} from './messages.ts';
import { type LineSink, relayLines } from './relay-lines.ts';
import { SupervisedChild } from './supervised-child.ts';

export interface SuperviseNeeds {
  /** Its processes load their code while it is awaited. */
  readonly settings: Promise<Settings>;
  /** Unanswered pings, one a second, after which a process is ended. */
  readonly hangSeconds: number;
  /** How much the worker gives way to other processes, from 0 to 19. */
  readonly workerNiceness: number;
  /** The file that Node runs for a process, and its arguments before the role. */
  readonly program: readonly [string, ...string[]];
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** The host that it runs on. */
  readonly node: string;
  readonly out: LineSink;
  readonly log: LineSink;
  readonly onLoss: (process: ProcessState, waitMs: number) => void;
  readonly onRunning: (process: ProcessState) => void;
  /** All have ended, and what they wrote was passed on. */
  readonly onStopped: () => Promise<void>;
  /** The list of processes has changed. */
  readonly onChange: (processes: readonly ProcessState[]) => void;
}

export interface SupervisedServer {
  /** Resolves when requests are answered. If that cannot be, all processes are ended. */
  start(): Promise<void>;
  /** Resolves when the worker works too, or is ended before it does; rejects with why it cannot start. */
  readonly workerStarted: Promise<void>;
  readonly url: string;
  processes(): readonly ProcessState[];
  /** Counters of the pipeline since the server started, whatever processes it had. */
  counters(): Counters;
  printFirstScreen(screen: FirstScreen): Promise<void>;
  /** False if a process did not end in good order. */
  stop(): Promise<boolean>;
  kill(): void;
}

/** Requests wait for the API, so it is tried more often. */
const backoffs = {
  api: { firstMs: 100, factor: 2, maxMs: 5 * secondMs },
  worker: { firstMs: 250, factor: 2, maxMs: 30 * secondMs },
} as const;
/**
 * V8 gives up to 96 MB to what lives briefly, whether it is used or not. The worker gets an eighth of it, half once there is a backlog (`onFirstBacklog`),
 * and its dozen threads still less (`keepThreadsSmall`); it is collected when its heap has grown by 40 %, since what it allocates beyond is garbage for the most part, and for nobody
 * who waits. The process that answers has few threads, and bursts of requests that need it. V8 compacts
 * the heap of a process that seems idle, which stopped this one for 20 to 60 ms while others needed the processors: it does not.
 */
const nodeOptions = {
  api: ['--no-memory-reducer'],
  worker: ['--min-semi-space-size=4', '--max-semi-space-size=16', '--heap-growing-percent=40'],
} as const;
/** What a process that has ended may still have in its pipes. */
const lastLinesMs = secondMs;

export class Supervisor implements SupervisedServer {
  readonly #needs: SuperviseNeeds;
  readonly #children: Readonly<Record<SupervisedRole, SupervisedChild>>;
  readonly #opened = Promise.withResolvers<void>();
  readonly #printed = Promise.withResolvers<void>();
  readonly #workerStarted = Promise.withResolvers<void>();
  #isStopping = false;
  readonly #relays = new Set<Promise<void>>();
  #url = '';
  /** Until it is printed. */
  #screen: FirstScreen | undefined;
  /** Of pipelines that have ended, and of the one that runs. */
  #countersBefore: Counters = {};
  #counters: Counters = {};

  constructor(needs: SuperviseNeeds) {
    this.#needs = needs;
    this.#printed.promise.catch(() => undefined);
    this.#workerStarted.promise.catch(() => undefined);
    this.#children = { api: this.#child('api'), worker: this.#child('worker') };
  }

  get url(): string {
    return this.#url;
  }

  get workerStarted(): Promise<void> {
    return this.#workerStarted.promise;
  }

  async start(): Promise<void> {
    try {
      const { api, worker } = this.#children;
      // The first answer would be late if both loaded their code at once, and both would bring the databases to this version.
      const workerStarted = this.#opened.promise.then(() => (this.#isStopping ? undefined : worker.start()));
      workerStarted.then(this.#workerStarted.resolve, (error: unknown) =>
        this.#isStopping ? this.#workerStarted.resolve() : this.#workerStarted.reject(error),
      );
      await Promise.all([this.#needs.settings, api.start()]);
    } catch (error) {
      this.kill();
      await this.stop();
      throw error;
    }
  }

  processes(): readonly ProcessState[] {
    return supervisedRoles.map((role) => this.#children[role].state);
  }

  counters(): Counters {
    return sum(this.#countersBefore, this.#counters);
  }

  printFirstScreen(screen: FirstScreen): Promise<void> {
    this.#screen = screen;
    this.#sendScreen();
    return this.#printed.promise;
  }

  #sendScreen(): void {
    if (this.#screen) this.#children.api.send({ kind: 'print-first-screen', ...this.#screen });
  }

  async stop(): Promise<boolean> {
    this.#isStopping = true;
    const ends = await Promise.all(supervisedRoles.map((role) => this.#children[role].stop()));
    const waiting = new Promise((resolve) => setTimeout(resolve, lastLinesMs).unref());
    await Promise.race([Promise.all(this.#relays), waiting]);
    await this.#needs.onStopped();
    return ends.every(Boolean);
  }

  kill(): void {
    this.#isStopping = true;
    for (const role of supervisedRoles) this.#children[role].kill();
  }

  #child(role: SupervisedRole): SupervisedChild {
    const { hangSeconds, clock, node, onLoss, onChange, onRunning } = this.#needs;
    const name = processName(role, node, process.pid, clock.now());
    return new SupervisedChild({
      role,
      name,
      clock,
      backoff: backoffs[role],
      calmMs: minuteMs,
      pingsMax: hangSeconds,
      mustStartAtOnce: role === 'api',
      spawn: () => this.#spawn(role),
      startMessage: async (restarts) => ({
        kind: 'start',
        settings: { ...(await this.#settings()), role },
        name,
        restarts,
      }),
      onMessage: (message) => this.#receive(role, message),
      onChange: () => {
        const processes = this.processes();
        const current = processes.find((one) => one.role === role && one.state === 'running');
        if (current) onRunning(current);
        this.#children.api.send({ kind: 'processes', processes });
        onChange(processes);
      },
      onLoss: (_end, waitMs) => {
        if (role === 'worker') {
          this.#countersBefore = this.counters();
          this.#counters = {};
        }
        onLoss(this.#children[role].state, waitMs);
      },
    });
  }

  /** A port that was any free one stays the same after a restart. */
  async #settings(): Promise<Settings> {
    const settings = await this.#needs.settings;
    const port = this.#url === '' ? settings.http.port : Number(new URL(this.#url).port) || 80;
    return { ...settings, http: { ...settings.http, port } };
  }

  #spawn(role: SupervisedRole) {
    const logMode = mayShareLog() ? 'inherit' : 'pipe';
    const [file, ...args] = this.#needs.program;
    const child = fork(file, [...args, role], {
      stdio: ['ignore', 'pipe', logMode, 'ipc'],
      env: this.#needs.environment,
      execArgv: [...process.execArgv, ...nodeOptions[role]],
    });
    if (role === 'worker') this.#giveWay(child);
    if (child.stdout) this.#relay(relayLines(child.stdout, this.#needs.out));
    if (child.stderr) this.#relay(relayLines(child.stderr, this.#needs.log));
    return child;
  }

  /** At once: on Linux, threads have what the thread that starts them has. */
  #giveWay({ pid }: ChildProcess): void {
    try {
      if (pid !== undefined) setPriority(pid, Math.max(getPriority(), this.#needs.workerNiceness));
    } catch {
      // It works without it, and a process that could not be started reports that itself.
    }
  }

  #relay(relayed: Promise<void>): void {
    // A pipe that breaks belongs to a process that has ended.
    const ended = relayed.catch(() => undefined).finally(() => this.#relays.delete(ended));
    this.#relays.add(ended);
  }

  #receive(role: SupervisedRole, message: FromProcess): void {
    const { api, worker } = this.#children;
    if (message.kind === 'opened' && role === 'api') this.#opened.resolve();
    else if (message.kind === 'started' && role === 'api') {
      this.#url = message.url;
      // The process before this one may have ended while it printed.
      this.#sendScreen();
    } else if (message.kind === 'printed') {
      this.#screen = undefined;
      this.#printed.resolve();
    } else if (message.kind === 'failed' && role === 'api' && api.state.state === 'running')
      this.#printed.reject(errorOf(message.failure));
    else if (message.kind === 'pong' && role === 'worker') this.#counters = message.counters;
    else if (message.kind === 'ask-worker-metrics') {
      if (worker.state.state === 'running') worker.send({ kind: 'read-metrics', id: message.id });
      else api.send({ kind: 'worker-metrics', id: message.id, families: undefined });
    } else if (message.kind === 'metrics')
      api.send({ kind: 'worker-metrics', id: message.id, families: message.families });
  }
}

/** On a terminal and in a file every write is whole. In a pipe or a socket only short ones are. */
function mayShareLog(): boolean {
  const stat = fstatSync(process.stderr.fd);
  return stat.isFile() || stat.isCharacterDevice();
}

function sum(one: Counters, other: Counters): Counters {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}
