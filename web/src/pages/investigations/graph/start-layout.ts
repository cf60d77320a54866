/** Starts the thread of the layout. */
import type { LayoutProgress, LayoutRequest } from './layout-worker.ts';
// oxlint-disable-next-line import/default -- vite makes the module: the address of the built worker
import workerUrl from './layout-worker.ts?worker&url';

interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}

declare global {
  /** Of browsers that have Trusted Types: the content security policy allows one policy, of this name. */
  var trustedTypes:
    | {
        createPolicy(
          name: 'nameglass-worker',
          rules: { readonly createScriptURL: (url: string) => string },
        ): ScriptUrlPolicy;
      }
    | undefined;
}

/** Nothing but the script of this very thread. */
const policy = globalThis.trustedTypes?.createPolicy('nameglass-worker', {
  createScriptURL: (url) => {
    if (url !== workerUrl) throw new TypeError(url);
    return url;
  },
});

/** Until `signal` aborts, or the layout is done. */
export function startLayout(
  request: LayoutRequest,
  onProgress: (progress: LayoutProgress) => void,
  signal: AbortSignal,
): void {
  const url = (policy?.createScriptURL(workerUrl) ?? workerUrl) as string;
  const worker = new Worker(url, { type: 'module', name: 'layout' });
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutProgress>) => {
    if (signal.aborted) return;
    onProgress(data);
    if (data.isDone) worker.terminate();
  });
  signal.addEventListener('abort', () => worker.terminate());
  worker.postMessage(request);
}
