/** The web UI: its own API under `/ui/api` with cookie sessions, and the files of the app under `/ui`. */
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../model/settings/settings.ts';
import { OidcClient } from '../../product/people/sign-on/oidc-client.ts';
import { SamlClient } from '../../product/people/sign-on/saml-client.ts';
import { signOnPrefix } from '../../product/people/sign-on/sign-on-urls.ts';
import { setDialect } from '../dialect.ts';
import type { AppFiles } from './app/app-files.ts';
import { appRedirects } from './app/app-redirects.ts';
import { appScope, uiHeaders } from './app/app-scope.ts';
import { webDialect } from './dialect.ts';
import { type WebNeeds, webOperations } from './operations.ts';
import { refuseOtherPaths } from './refuse-other-paths.ts';
import { hostFault, originFault } from './request-checks.ts';
import { registerWebOperation, requireSession } from './run-web-operation.ts';
import { sessionCookie } from './session-cookie.ts';
import { type SignOnScopeNeeds, signOnScope } from './sign-on/sign-on-scope.ts';

export type WebScopeNeeds = Omit<WebNeeds & SignOnScopeNeeds, 'cookie' | 'oidc' | 'saml'> & {
  readonly settings: Settings;
  readonly appFiles: AppFiles;
};

export const webApiPrefix = '/ui/api';

export async function mountWeb(app: FastifyInstance, given: WebScopeNeeds): Promise<void> {
  const needs = {
    ...given,
    cookie: sessionCookie(given.settings),
    oidc: new OidcClient(given),
    saml: new SamlClient(given),
  };
  appRedirects(app);
  await app.register(signOnScope(needs), { prefix: signOnPrefix });
  await app.register(webApiScope(needs), { prefix: webApiPrefix });
  await app.register(appScope(needs.appFiles, needs.settings), { prefix: '/ui' });
}

function webApiScope(needs: WebScopeNeeds & WebNeeds & SignOnScopeNeeds) {
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
