/** Health, for people who operate the server. */
import {
  type DescribedPart,
  describeHealth,
  type HealthNeeds,
} from '../../../product/health/describe-health.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { isoTime, isoTimeOrNull } from '../wire-values.ts';
import { HealthView, type WirePart } from './health-wire.ts';

export interface HealthWebNeeds extends HealthNeeds {
  readonly version: string;
}

export function healthWebOperations(needs: HealthWebNeeds): readonly WebOperation[] {
  return [
    defineWebOperation({
      method: 'GET',
      path: '/health',
      access: 'operator',
      summary: 'How every source, list, sensor, collector, stage, queue and store is',
      answer: HealthView,
      handle: async () => {
        const { processes, parts, queues, space, stores, backup, faults } = await describeHealth(needs);
        return {
          at: isoTime(needs.clock.now()),
          version: needs.version,
          processes: processes.map(
            ({
              process: name,
              node,
              role,
              version,
              state,
              startedMs,
              atMs,
              memoryBytes,
              restarts,
              lastEnd,
            }) => ({
              name,
              node: node ?? null,
              role,
              version,
              state,
              restarts: restarts ?? null,
              last_end: lastEnd ?? null,
              started: isoTime(startedMs),
              seen: isoTime(atMs),
              memory_bytes: memoryBytes,
            }),
          ),
          parts: parts.map(partOnWire),
          queues: queues.map(({ kind: code, oldestDueMs, ...queue }) => ({
            code,
            ...queue,
            oldest_due_seconds: oldestDueMs === undefined ? null : Math.round(oldestDueMs / 1000),
          })),
          disk: {
            low: space.isLow,
            free_bytes: space.freeBytes,
            total_bytes: space.totalBytes,
            reserve_bytes: space.reserveBytes,
          },
          backup: {
            last: isoTimeOrNull(backup.last?.atMs),
            bytes: backup.last?.bytes ?? null,
            location: backup.last?.location ?? null,
            overdue: backup.isOverdue ?? null,
          },
          faults: faults.map(({ part, message }) => ({ part, message })),
          stores: stores.map(({ name, bytes, isPartial }) => ({ name, bytes, partial: isPartial })),
        };
      },
    }),
  ];
}

function partOnWire(part: DescribedPart): WirePart {
  const { kind, name, state, unit, process, node, lastSuccessMs, lastFailureMs } = part;
  return {
    kind,
    name,
    state,
    unit,
    process,
    node: node ?? null,
    last_success: isoTimeOrNull(lastSuccessMs),
    last_failure: isoTimeOrNull(lastFailureMs),
    last_error: part.lastError ?? null,
    failures_in_row: part.failuresInRow,
    total: part.total,
    per_minute: [...part.perMinute],
    backlog: part.backlog ?? null,
    off: part.off ?? null,
  };
}
