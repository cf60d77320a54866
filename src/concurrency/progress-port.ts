/** Calls of a thread that report their progress through a port. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';

export type OnProgress = (done: number, all: number) => void;

/** An error in the callback rejects the call. */
export async function withProgress<Result>(
  onProgress: OnProgress,
  call: (sender: MessagePort) => Promise<Result>,
): Promise<Result> {
  const { port1: progress, port2: sender } = new MessageChannel();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  progress.on('message', ([done, all]: [number, number]) => {
    try {
      onProgress(done, all);
    } catch (error) {
      reject(error);
    }
  });
  try {
    return await Promise.race([call(sender), failed]);
  } finally {
    progress.close();
  }
}
