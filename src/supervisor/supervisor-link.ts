/** The end of the channel to the supervisor in a process that it has started. */
import type { ProcessState } from '../model/health/process-state.ts';
import type {
  Counters,
  FirstScreen,
  FromProcess,
  MetricFamilies,
  StartOrder,
  ToProcess,
} from './messages.ts';

export interface SupervisedWork {
  readonly counters: () => Counters;
  readonly metrics: () => Promise<MetricFamilies>;
  readonly printFirstScreen: (screen: FirstScreen) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A worker that is busy may answer late; a scrape does not wait for it. */
const metricsWaitMs = 5000;

export class SupervisorLink {
  readonly #process: NodeJS.Process;
  readonly #order = Promise.withResolvers<StartOrder>();
  readonly #work = Promise.withResolvers<SupervisedWork>();
  readonly #waiting = new Map<number, (families: MetricFamilies | undefined) => void>();
  #working: SupervisedWork | undefined;
  #processes: readonly ProcessState[] = [];
  #nextId = 1;

  constructor(process: NodeJS.Process) {
    this.#process = process;
    process.on('message', (message) => this.#receive(message as ToProcess));
  }

  /** The supervisor says when to begin, and with which settings. */
  get order(): Promise<StartOrder> {
    return this.#order.promise;
  }

  processes(): readonly ProcessState[] {
    return this.#processes;
  }

  /** `onSent` is called also when the supervisor is gone. */
  send(message: FromProcess, onSent: () => void = () => undefined): void {
    if (this.#process.connected) this.#process.send?.(message, undefined, undefined, onSent);
    else onSent();
  }

  /** From now on what the supervisor asks for is done. */
  answerWith(work: SupervisedWork): void {
    this.#working = work;
    this.#work.resolve(work);
  }

  /** Of the worker; undefined while it does not answer. */
  readWorkerMetrics(): Promise<MetricFamilies | undefined> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      const answer = (families: MetricFamilies | undefined) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(families);
      };
      const timer = setTimeout(() => answer(undefined), metricsWaitMs);
      this.#waiting.set(id, answer);
      this.send({ kind: 'ask-worker-metrics', id });
    });
  }

  #receive(message: ToProcess): void {
    if (message.kind === 'start') this.#order.resolve(message);
    else if (message.kind === 'processes') this.#processes = message.processes;
    else if (message.kind === 'worker-metrics') this.#waiting.get(message.id)?.(message.families);
    else if (message.kind === 'ping') this.send({ kind: 'pong', counters: this.#working?.counters() ?? {} });
    else void this.#work.promise.then((work) => this.#obey(message, work));
  }

  async #obey(
    message: Extract<ToProcess, { kind: 'read-metrics' | 'print-first-screen' | 'stop' }>,
    work: SupervisedWork,
  ): Promise<void> {
    if (message.kind === 'read-metrics')
      this.send({ kind: 'metrics', id: message.id, families: await work.metrics().catch(() => undefined) });
    else if (message.kind === 'print-first-screen') {
      await work.printFirstScreen(message);
      this.send({ kind: 'printed' });
    } else await work.stop();
  }
}
