/** How the server is, on the wire. */
import { type Static, Type } from 'typebox';
import { partKinds, partUnits } from '../../../model/health/part-report.ts';
import { partStates } from '../../../model/health/part-state.ts';
import { describedStates } from '../../../model/health/process-state.ts';
import { NullableInteger, NullableText, oneOf } from '../wire-values.ts';

export const WirePart = Type.Object({
  kind: oneOf(partKinds),
  name: Type.String(),
  state: oneOf(partStates),
  unit: oneOf(partUnits),
  process: Type.String(),
  node: NullableText,
  last_success: NullableText,
  last_failure: NullableText,
  last_error: NullableText,
  failures_in_row: Type.Integer(),
  total: Type.Integer(),
  per_minute: Type.Array(Type.Integer(), { description: 'Of the last 60 minutes, oldest first.' }),
  backlog: NullableInteger,
  /** Why it does not run. */
  off: NullableText,
});
export type WirePart = Static<typeof WirePart>;

export const HealthView = Type.Object({
  at: Type.String(),
  version: Type.String(),
  processes: Type.Array(
    Type.Object({
      name: Type.String(),
      node: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The host that it runs on.',
      }),
      role: Type.String(),
      version: Type.String(),
      state: oneOf(describedStates),
      restarts: NullableInteger,
      /** How the one before it ended. */
      last_end: NullableText,
      started: Type.String(),
      seen: Type.String(),
      memory_bytes: Type.Integer(),
    }),
  ),
  parts: Type.Array(WirePart),
  queues: Type.Array(
    Type.Object({
      code: Type.String({ description: 'The kind of its jobs.' }),
      state: oneOf(partStates),
      due: Type.Integer(),
      waiting: Type.Integer(),
      leased: Type.Integer(),
      oldest_due_seconds: NullableInteger,
    }),
  ),
  disk: Type.Object({
    low: Type.Boolean(),
    free_bytes: Type.Integer(),
    total_bytes: Type.Integer(),
    reserve_bytes: Type.Integer(),
  }),
  backup: Type.Object({
    last: NullableText,
    bytes: NullableInteger,
    location: NullableText,
    overdue: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        'The last one is older than backup.maxAgeDays, or there is none. Null where the database and the object store are backed up with their own tools.',
    }),
  }),
  faults: Type.Array(Type.Object({ part: Type.String(), message: Type.String() }), {
    description: 'What the stores lack at the moment, such as an object store that does not answer.',
  }),
  stores: Type.Array(
    Type.Object({
      name: Type.String(),
      bytes: Type.Integer(),
      partial: Type.Boolean({ description: 'There are more files than were counted.' }),
    }),
  ),
});
export type HealthView = Static<typeof HealthView>;
