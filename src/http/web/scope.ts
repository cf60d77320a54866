/** The web UI: its own API under `/ui/api` with cookie sessions, and the files of the app under `/ui`. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { setDialect } from '../dialect.ts';
import type { AppFiles } from './app/app-files.ts';
import { appRedirects } from './app/app-redirects.ts';
import { appScope, uiHeaders } from './app/app-scope.ts';
import { webDialect } from './dialect.ts';
import { type WebNeeds, webOperations } from './operations.ts';
import { hostFault, originFault } from './request-checks.ts';
import { registerWebOperation, requireSession, type WebRunNeeds } from './run-web-operation.ts';
import { sessionCookie } from './session-cookie.ts';

export type WebScopeNeeds = Omit<WebNeeds & WebRunNeeds, 'cookie'> & {
  readonly settings: Settings;
  readonly appFiles: AppFiles;
};

export const webApiPrefix = '/ui/api';

export async function mountWeb(app: FastifyInstance, needs: WebScopeNeeds): Promise<void> {
  appRedirects(app);
  await app.register(webApiScope(needs), { prefix: webApiPrefix });
  await app.register(appScope(needs.appFiles, needs.settings), { prefix: '/ui' });
}

function webApiScope(given: WebScopeNeeds) {
  const needs = { ...given, cookie: sessionCookie(given.settings) };
  const findHostFault = hostFault(needs.settings);
  const findOriginFault = originFault(needs.ownUrl);
  return async (scope: FastifyInstance) => {
    setDialect(scope, webDialect);
    scope.setValidatorCompiler(() => () => true);
    scope.addHook('onRequest', (request, reply, done) => {
      reply.headers(uiHeaders);
      done(findHostFault(request) ?? findOriginFault(request));
    });
    requireSession(scope, needs);
    for (const operation of webOperations(needs)) registerWebOperation(scope, operation, needs);
    refuseOtherPaths(scope);
  };
}

/** Without this, the paths of the app would answer them. */
function refuseOtherPaths(scope: FastifyInstance): void {
  for (const url of ['/', '/*']) {
    scope.all(url, { config: { access: 'open', scope: 'web' }, schema: { hide: true } }, async () => {
      throw new Problem('no-such-path', 'There is nothing at this path.');
    });
  }
}
