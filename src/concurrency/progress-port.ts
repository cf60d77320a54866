/** Calls of a thread that report their progress through a port. */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

export type OnProgress = (done: number, all: number) => void;

/** An error in the callback rejects the call. */
export async function withProgress<Result>(
  onProgress: OnProgress,
  call: (sender: MessagePort) => Promise<Result>,
): Promise<Result> {
  const { port1: progress, port2: sender } = new MessageChannel();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const report = ([done, all]: [number, number]) => onProgress(done, all);
  progress.on('message', (message: [number, number]) => {
    try {
      report(message);
    } catch (error) {
      reject(error);
    }
  });
  try {
    const result = await Promise.race([call(sender), failed]);
    // The result comes through another port, and may overtake what was reported before it.
    let late = receiveMessageOnPort(progress);
    for (; late; late = receiveMessageOnPort(progress)) report(late.message as [number, number]);
    return result;
  } finally {
    progress.close();
  }
}
