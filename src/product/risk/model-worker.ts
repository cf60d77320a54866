/** The worker thread that reads the risk model of the package. */
import { serveWorkerCalls, transferResult } from '../../concurrency/worker-client.ts';
import { readModel } from './read-model.ts';

const calls = {
  read: () => {
    const model = readModel();
    return transferResult(model, [
      model.cells.values.buffer,
      model.singleWords.stems.buffer,
    ] as ArrayBuffer[]);
  },
};

export type ModelCalls = typeof calls;

serveWorkerCalls(calls);
