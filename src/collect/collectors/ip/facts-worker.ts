/** The worker thread that reads what files say about addresses. */
import { serveWorkerCalls, transferResult } from '../../../concurrency/worker-client.ts';
import type { FactColumns } from './fact-table.ts';
import { readOperatorFacts, readPackagedFacts } from './read-fact-tables.ts';

const calls = {
  readPackaged: async () => handedOver(await readPackagedFacts()),
  readFiles: async (files: readonly string[]) => handedOver([await readOperatorFacts(files)]),
};

function handedOver(tables: readonly FactColumns[]): readonly FactColumns[] {
  const arrays = tables.flatMap(({ ranges, ...facts }) => [
    ...Object.values(facts),
    ...[ranges[1], ranges[4]].flatMap(({ width: _width, ...columns }) => Object.values(columns)),
  ]);
  return transferResult(
    tables,
    arrays.map(({ buffer }) => buffer),
  );
}

export type FactsCalls = typeof calls;

serveWorkerCalls(calls);
