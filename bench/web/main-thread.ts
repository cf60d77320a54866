/** What the main thread of a page computes. Its CPU time stays true on a busy machine. */
import type { CDPSession } from 'playwright-core';
import { type Result, resultOf } from '../harness/benchmark.ts';

/** Without the library, whose own scripts in the page would be counted too. */
export async function inPage(debug: CDPSession, expression: string): Promise<void> {
  await debug.send('Runtime.evaluate', { expression, awaitPromise: true });
}

export const oneFrame = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

export interface Cost {
  readonly script: number;
  readonly layout: number;
  readonly tasks: number;
  /** Bytes, afterwards. */
  readonly heap: number;
}

/** What the main thread computes meanwhile, in milliseconds. */
export async function cost(debug: CDPSession, run: () => Promise<void>): Promise<Cost> {
  const read = async () => {
    const { metrics } = await debug.send('Performance.getMetrics');
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0;
    return {
      script: of('ScriptDuration') * 1000,
      layout: (of('LayoutDuration') + of('RecalcStyleDuration')) * 1000,
      tasks: of('TaskDuration') * 1000,
      heap: of('JSHeapUsedSize'),
    };
  };
  const before = await read();
  await run();
  const after = await read();
  return {
    script: after.script - before.script,
    layout: after.layout - before.layout,
    tasks: after.tasks - before.tasks,
    heap: after.heap,
  };
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own CPU time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export const taskCategories = ['toplevel'];

/** The longest task of a renderer's main thread in a trace, in milliseconds of CPU. */
export function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: readonly TraceEvent[] };
  const key = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(key),
  );
  const tasks = traceEvents.filter(
    (event) => event.name.endsWith('RunTask') && event.ph === 'X' && mains.has(key(event)),
  );
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Milliseconds: what a person does not notice. */
const longestMs = 100;

export function longestTaskResult(during: string, ms: number, { tasks, heap }: Cost): Result {
  return resultOf({
    work: `longest task of the page: ${during}`,
    ours: { value: ms, unit: 'ms' },
    wanted: { ours: { atMost: longestMs } },
    cpuSeconds: tasks / 1000,
    memoryBytes: heap,
  });
}

/** All that the main thread computed. */
export function tasksResult(work: string, { tasks, heap }: Cost): Result {
  return resultOf({
    work,
    ours: { value: tasks, unit: 'ms' },
    cpuSeconds: tasks / 1000,
    memoryBytes: heap,
  });
}
