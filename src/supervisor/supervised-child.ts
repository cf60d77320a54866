/**
 * One process that is kept running: started again when it ends, with exponential backoff, and ended by force when its event loop does not
 * answer. Unanswered pings are counted, not seconds: a computer that was suspended has missed none.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Backoff, backoffMs } from '../concurrency/backoff.ts';
import type { Clock } from '../model/clock.ts';
import { secondMs } from '../model/durations.ts';
import type { ProcessState } from '../model/health/process-state.ts';
import { errorOf } from './failure.ts';
import type { FromProcess, SupervisedRole, ToProcess } from './messages.ts';

export interface ChildNeeds {
  readonly role: SupervisedRole;
  /** Under which it reports its health. */
  readonly name: string;
  readonly spawn: () => ChildProcess;
  /** Resolves when it may begin to work. */
  readonly startMessage: (restarts: number) => Promise<ToProcess>;
  /** Unanswered pings, one a second, after which it is ended. */
  readonly pingsMax: number;
  /** Its first start is tried once. Otherwise it is tried again, unless the process itself says why it cannot start. */
  readonly mustStartAtOnce: boolean;
  readonly backoff: Backoff;
  /** After so long without an end, the next one counts as the first. */
  readonly calmMs: number;
  readonly clock: Clock;
  readonly onMessage: (message: FromProcess) => void;
  readonly onChange: () => void;
  /** It ended although nobody asked for it. */
  readonly onLoss: (end: string, waitMs: number) => void;
}

const pingMs = secondMs;

export class SupervisedChild {
  readonly #needs: ChildNeeds;
  readonly #stopping = new AbortController();
  readonly #firstStart = Promise.withResolvers<void>();
  #ended: Promise<void> = Promise.resolve();
  #process: ChildProcess | undefined;
  #state: ProcessState['state'] = 'starting';
  #sinceMs: number;
  #restarts = 0;
  #lastEnd: string | undefined;
  #unanswered = 0;
  #failure: string | undefined;
  #hasStarted = false;
  #hasStopped = false;
  #hasEndedBadly = false;

  constructor(needs: ChildNeeds) {
    this.#needs = needs;
    this.#sinceMs = needs.clock.now();
  }

  get state(): ProcessState {
    const pid = this.#process?.pid;
    return {
      role: this.#needs.role,
      name: this.#needs.name,
      state: this.#state,
      restarts: this.#restarts,
      sinceMs: this.#sinceMs,
      ...(pid === undefined ? {} : { pid }),
      ...(this.#lastEnd === undefined ? {} : { lastEnd: this.#lastEnd }),
    };
  }

  /** Resolves when it has started for the first time; rejects with the error that it reports instead. */
  start(): Promise<void> {
    this.#ended = this.#keepRunning();
    return this.#firstStart.promise;
  }

  /** Nothing happens while there is no process. */
  send(message: ToProcess): void {
    // One that has just ended is no error here: its end is handled by itself.
    if (this.#process?.connected) this.#process.send(message, undefined, undefined, () => undefined);
  }

  /** Lets it finish what it does; true if it ended in good order. One that has not started has nothing to finish. */
  async stop(): Promise<boolean> {
    this.#stopping.abort();
    if (this.#state === 'running') this.send({ kind: 'stop' });
    else this.kill();
    await this.#ended;
    return !this.#hasEndedBadly;
  }

  kill(): void {
    this.#stopping.abort();
    this.#process?.kill('SIGKILL');
  }

  async #keepRunning(): Promise<void> {
    let losses = 0;
    let end = '';
    while (!this.#stopping.signal.aborted) {
      const startedMs = performance.now();
      end = await this.#runOnce();
      if (this.#stopping.signal.aborted || this.#cannotStart()) break;
      losses = performance.now() - startedMs > this.#needs.calmMs ? 1 : losses + 1;
      const waitMs = backoffMs(losses, this.#needs.backoff);
      this.#lastEnd = end;
      this.#change('restarting');
      this.#needs.onLoss(end, waitMs);
      await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      this.#restarts += 1;
    }
    this.#firstStart.reject(new Error(`the ${this.#needs.role} process ${end} while it started`));
  }

  /** Resolves with how it ended. */
  async #runOnce(): Promise<string> {
    const child = this.#needs.spawn();
    this.#process = child;
    this.#failure = undefined;
    this.#hasStopped = false;
    this.#change('starting');
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) => {
        const wasStopping = this.#stopping.signal.aborted && this.#state === 'running';
        this.#hasEndedBadly = wasStopping && code !== 0 && !this.#hasStopped;
        const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
        resolve(this.#failure === undefined ? how : `did not start: ${this.#failure}`);
      });
    });
    child.on('message', (message) => this.#receive(message as FromProcess));
    this.#needs.startMessage(this.#restarts).then(
      (message) => this.send(message),
      (error: unknown) => this.#firstStart.reject(error),
    );
    const pings = setInterval(() => this.#ping(child), pingMs);
    const end = await ended;
    clearInterval(pings);
    this.#process = undefined;
    return end;
  }

  /** The caller gets the error. */
  #cannotStart(): boolean {
    return !this.#hasStarted && (this.#needs.mustStartAtOnce || this.#failure !== undefined);
  }

  #receive(message: FromProcess): void {
    this.#unanswered = 0;
    if (message.kind === 'started') {
      this.#hasStarted = true;
      this.#change('running');
      this.#needs.onMessage(message);
      this.#firstStart.resolve();
      return;
    }
    if (message.kind === 'stopped') this.#hasStopped = true;
    if (message.kind === 'failed') {
      this.#failure = message.failure.message;
      this.#firstStart.reject(errorOf(message.failure));
    }
    this.#needs.onMessage(message);
  }

  #ping(child: ChildProcess): void {
    // Opening large databases, or bringing them to a new version, may take longer.
    if (this.#state !== 'running') return;
    if (this.#unanswered >= this.#needs.pingsMax) {
      child.kill('SIGKILL');
      return;
    }
    this.#unanswered += 1;
    this.send({ kind: 'ping' });
  }

  #change(state: ProcessState['state']): void {
    this.#state = state;
    this.#sinceMs = this.#needs.clock.now();
    this.#unanswered = 0;
    this.#needs.onChange();
  }
}
