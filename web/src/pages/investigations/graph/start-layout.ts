/** Starts the thread of the layout. */
import { startThread } from '../../../data/threads/start-thread.ts';
import type { LayoutProgress, LayoutRequest } from './layout-worker.ts';

/** Until `signal` aborts, or the layout is done. */
export function startLayout(
  request: LayoutRequest,
  onProgress: (progress: LayoutProgress) => void,
  signal: AbortSignal,
): void {
  const worker = startThread('layout');
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutProgress>) => {
    if (signal.aborted) return;
    onProgress(data);
    if (data.isDone) worker.terminate();
  });
  signal.addEventListener('abort', () => worker.terminate());
  worker.postMessage(request);
}
