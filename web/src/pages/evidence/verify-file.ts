/** Has a pack verified by a thread, within bounds of size and time. */
import { packBytesMax } from '../../../../src/model/evidence/verify-pack.ts';
import { startThread } from '../../data/threads/start-thread.ts';
import type { VerifyAnswer, VerifyRequest } from './verify-worker.ts';

export type FileAnswer = VerifyAnswer | { readonly outcome: 'too-large' | 'too-long' };

const secondsMax = 60;

export const fileBytesMax = packBytesMax;

export function verifyFile(request: VerifyRequest, signal: AbortSignal): Promise<FileAnswer> {
  if (request.file.size > fileBytesMax) return Promise.resolve({ outcome: 'too-large' });
  return new Promise((resolve) => {
    const worker = startThread('verify');
    const end = (answer: FileAnswer) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end({ outcome: 'too-long' }), secondsMax * 1000);
    worker.addEventListener('message', ({ data }: MessageEvent<VerifyAnswer>) => end(data));
    worker.addEventListener('error', () => end({ outcome: 'failed' }));
    signal.addEventListener('abort', () => end({ outcome: 'failed' }));
    worker.postMessage(request);
  });
}
