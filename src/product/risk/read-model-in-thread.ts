/** Reads the model of the package in a thread, which takes a tenth of a second of a processor. The thread ends with it; its memory is handed over. */
import { WorkerClient } from '../../concurrency/worker-client.ts';
import type { RiskModel } from '../../model/risk/name/name-model.ts';
import type { ModelCalls } from './model-worker.ts';

export async function readModelInThread(): Promise<RiskModel> {
  const thread = new WorkerClient<ModelCalls, 'model'>({
    file: new URL('./model-worker.ts', import.meta.url),
    workerData: undefined,
    owner: 'the risk model',
    finish: ['model'],
  });
  try {
    return await thread.run('model', 'read');
  } finally {
    await thread.close();
  }
}
