/** The web UI in a browser, if there is one. */

import { type WebApp, webApp } from '../../test/harness/browser/web-app.ts';
import { hasPackage } from '../../test/harness/debian-package.ts';
import { type BenchContext, MissingSoftware } from '../harness/benchmark.ts';

export function openWebApp(context: BenchContext): Promise<WebApp> {
  needBrowser();
  return webApp(context);
}

export function needBrowser(): void {
  if (!hasPackage('chromium', 'chromium'))
    throw new MissingSoftware('no Chromium (apt-get install chromium)');
}
