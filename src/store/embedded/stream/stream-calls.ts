/** What the worker thread of the stream store does: every change of streams, under group commit. */
import type { FencingToken } from '../../lease/fencing-token.ts';
import { GroupCommit } from '../../stream/group-commit.ts';
import type { Consumer, Lines, Offset, ProducerMarkMove, StreamName } from '../../stream-store.ts';
import { RangeLeases } from './range-leases.ts';
import { StreamLog } from './stream-log.ts';

export type StreamCalls = ReturnType<typeof streamCalls>;

export function streamCalls(root: string) {
  const log = new StreamLog(root);
  const leases = new RangeLeases(root);
  const group = new GroupCommit<() => unknown>((operations) => log.commit(operations));
  const run = <Result>(work: () => Result, bytes = 0) => group.run<Result>(work, bytes);
  return {
    repair: () => group.runExclusive(() => log.repair()),

    settle: () => group.runExclusive(() => log.settle()),

    append: (lines: readonly Lines[], nowMs: number, mark?: ProducerMarkMove, fence?: FencingToken) => {
      const size = lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
      return run(() => log.append(lines, nowMs, mark, fence), size);
    },

    leaseOffset: (consumer: Consumer, holder: string, nowMs: number, untilMs: number) =>
      run(() => log.offsets.lease(consumer, holder, nowMs, untilMs)),

    commitOffset: (consumer: Consumer, holder: string, to: Offset, nowMs: number) =>
      run(() => log.offsets.commit(consumer, holder, to, nowMs)),

    releaseOffset: (consumer: Consumer, holder: string) => run(() => log.offsets.release(consumer, holder)),

    removeConsumer: (consumer: Consumer) => run(() => log.offsets.remove(consumer)),

    removeIdleConsumers: (stream: StreamName, namePrefix: string, beforeMs: number) =>
      run(() => log.offsets.removeIdle(stream, namePrefix, beforeMs)),

    removeIdleProducerMarks: (producerPrefix: string, beforeMs: number) =>
      run(() => log.marks.removeIdle(producerPrefix, beforeMs)),

    prune: (stream: StreamName, beforeMinute: number) =>
      group.runExclusive(() => log.prune(stream, beforeMinute, leases)),
  };
}
