/** Starts a thread. The content security policy allows one policy of Trusted Types, and it accepts the scripts of these threads alone. */
// oxlint-disable-next-line import/default -- vite makes the module: the address of the built worker
import verifyUrl from '../../pages/evidence/verify-worker.ts?worker&url';
// oxlint-disable-next-line import/default -- the same
import layoutUrl from '../../pages/investigations/graph/layout-worker.ts?worker&url';

interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}

declare global {
  /** Of browsers that have Trusted Types. */
  var trustedTypes:
    | {
        createPolicy(
          name: 'nameglass-worker',
          rules: { readonly createScriptURL: (url: string) => string },
        ): ScriptUrlPolicy;
      }
    | undefined;
}

const scripts = { layout: layoutUrl, verify: verifyUrl } as const;

const policy = globalThis.trustedTypes?.createPolicy('nameglass-worker', {
  createScriptURL: (url) => {
    if (!Object.values(scripts).includes(url)) throw new TypeError(url);
    return url;
  },
});

export function startThread(name: keyof typeof scripts): Worker {
  const url = (policy?.createScriptURL(scripts[name]) ?? scripts[name]) as string;
  return new Worker(url, { type: 'module', name });
}
