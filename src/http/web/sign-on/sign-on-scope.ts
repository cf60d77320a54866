/**
 * The addresses that identity providers send browsers to, below `/ui/auth`: outside of `/ui/api`, because navigations and the POST of SAML
 * come from other sites. What binds them to this browser is the cookie that it got when it left. Refusals lead to the page to sign in, with a
 * code; why is in the audit log.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../../model/escape-html.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { type BeginNeeds, beginSignOn, getProvider } from '../../../product/people/sign-on/begin-sign-on.ts';
import { type CompleteNeeds, completeSignOn } from '../../../product/people/sign-on/complete-sign-on.ts';
import {
  type FinishNeeds,
  finishOidc,
  finishSaml,
  type Returned,
  receiveSaml,
  recordRefusal,
} from '../../../product/people/sign-on/finish-sign-on.ts';
import type { SamlClient } from '../../../product/people/sign-on/saml-client.ts';
import { SignOnFault } from '../../../product/people/sign-on/sign-on-fault.ts';
import { signOnPrefix, signOnUrls } from '../../../product/people/sign-on/sign-on-urls.ts';
import type { FoundProvider } from '../../../store/person/sign-on-store.ts';
import { setDialect } from '../../dialect.ts';
import { frontDialect } from '../../front/dialect.ts';
import { htmlPage } from '../../html-page.ts';
import { bodyOf } from '../../platform/operation/raw-parameters.ts';
import { uiHeaders } from '../app/app-scope.ts';
import { refuseOtherPaths } from '../refuse-other-paths.ts';
import { hostFault } from '../request-checks.ts';
import { requireSession, type WebRunNeeds } from '../run-web-operation.ts';
import { clientOf } from '../session/client-of.ts';
import { signOnCookie } from './sign-on-cookie.ts';

export type SignOnScopeNeeds = WebRunNeeds & {
  readonly signOn: BeginNeeds['signOn'] & FinishNeeds['signOn'] & CompleteNeeds['signOn'];
  readonly usage: WebRunNeeds['usage'];
  readonly oidc: BeginNeeds['oidc'] & FinishNeeds['oidc'];
  readonly saml: SamlClient;
  readonly sessions: WebRunNeeds['sessions'] & CompleteNeeds['sessions'];
  readonly people: CompleteNeeds['people'];
  readonly accounts: CompleteNeeds['accounts'];
  readonly settings: Settings;
  readonly ownUrl: () => string;
};

/** More than the largest response in base64 and percent encoding; larger bodies are refused unread up to the next one. */
const formBytesMax = 512 << 10;
const bodyBytesMax = 2 << 20;

type Kind = 'oidc' | 'saml';
type Handle = (provider: FoundProvider, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export function signOnScope(needs: SignOnScopeNeeds) {
  const findHostFault = hostFault(needs.settings);
  return async (scope: FastifyInstance) => {
    setDialect(scope, frontDialect);
    scope.addHook('onRequest', (request, reply, done) => {
      reply.headers(uiHeaders).header('cache-control', 'no-store');
      done(findHostFault(request));
    });
    requireSession(scope, needs);
    scope.addHook('onClose', () => needs.saml.close());
    signOnRoutes(scope, needs);
    refuseOtherPaths(scope);
  };
}

function signOnRoutes(scope: FastifyInstance, needs: SignOnScopeNeeds): void {
  const cookie = signOnCookie(needs.settings);
  const route = defineRoutes(scope, needs);

  const start = (kind: Kind) =>
    route('GET', kind, 'start', async ({ provider }, request, reply) => {
      const next = parameterOf(request, 'next');
      const begun = await beginSignOn(
        { providerId: provider.id, kind, purpose: 'sign-in', next, address: request.ip },
        needs,
      );
      cookie.set(reply, begun);
      return reply.redirect(begun.url, 303);
    });

  start('oidc');
  route('GET', 'oidc', 'callback', async (provider, request, reply) => {
    const query = request.url.split('?')[1] ?? '';
    const returned = await finishOidc(provider, query, cookie.finder(request, reply), needs);
    return complete(provider, returned, request, reply);
  });

  start('saml');
  route('POST', 'saml', 'acs', async (provider, request, reply) => {
    const token = await receiveSaml(provider, readForm(request), needs);
    const { acs } = signOnUrls(provider.provider, '');
    return hop(reply, `${acs.replace(/acs$/, 'finish')}?token=${token}`);
  });
  route('GET', 'saml', 'finish', async (provider, request, reply) => {
    const token = parameterOf(request, 'token') ?? '';
    const returned = await finishSaml(provider, token, cookie.finder(request, reply), needs);
    return complete(provider, returned, request, reply);
  });
  route('GET', 'saml', 'metadata', async ({ provider }, _request, reply) =>
    reply
      .type('application/samlmetadata+xml; charset=utf-8')
      .send(await needs.saml.metadata(provider, signOnUrls(provider, needs.ownUrl()))),
  );

  async function complete(
    provider: FoundProvider,
    returned: Returned,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const client = clientOf(request, needs.settings);
    const { goTo, signedIn } = await completeSignOn(provider, returned, client, needs);
    if (signedIn) needs.cookie.set(reply, signedIn.token);
    return reply.redirect(goTo, 303);
  }
}

/** Routes of a provider. A refusal is written down and leads to the page to sign in. */
function defineRoutes(scope: FastifyInstance, needs: SignOnScopeNeeds) {
  return (method: 'GET' | 'POST', kind: Kind, name: string, handle: Handle) =>
    scope.route({
      method,
      url: `/${kind}/:id/${name}`,
      bodyLimit: bodyBytesMax,
      config: { access: 'open', operation: `${method} ${signOnPrefix}/${kind}/${name}`, scope: 'web' },
      schema: { hide: true },
      handler: async (request, reply) => {
        const { id: providerId } = request.params as { id: string };
        let provider: FoundProvider | undefined;
        try {
          provider = await getProvider({ providerId, kind }, needs);
          return await handle(provider, request, reply);
        } catch (error) {
          const fault = faultOf(error);
          if (provider) await recordRefusal(provider, fault, request.ip, needs);
          return reply.redirect(`/ui/sign-in?fault=${fault.code}`, 303);
        }
      },
    });
}

function parameterOf(request: FastifyRequest, name: string): string | undefined {
  return (request.query as Map<string, string[]>).get(name)?.at(-1);
}

function faultOf(error: unknown): SignOnFault {
  if (error instanceof SignOnFault) return error;
  if (error instanceof Problem && error.code === 'too-many-connections')
    return new SignOnFault('too-many', error.message, error);
  if (error instanceof Problem && error.code === 'credentials-invalid')
    return new SignOnFault('disabled', error.message, error);
  throw error;
}

function readForm(request: FastifyRequest): { readonly samlResponse: string; readonly relayState: string } {
  const body = bodyOf(request);
  if (body.length > formBytesMax)
    throw new SignOnFault('not-verified', `the response is refused: it is longer than ${formBytesMax} bytes`);
  const form = new URLSearchParams(body.toString('utf8'));
  return { samlResponse: form.get('SAMLResponse') ?? '', relayState: form.get('RelayState') ?? '' };
}

/** The next request comes from this page of ours, so the browser sends our cookies with it. */
function hop(reply: FastifyReply, path: string): FastifyReply {
  const icon = '<link rel="icon" href="/ui/icon.svg">';
  const body = `<p><a href="${escapeHtml(path)}">Continue to Nameglass</a></p>`;
  return reply
    .header('refresh', `0; url=${path}`)
    .type('text/html; charset=utf-8')
    .send(htmlPage('Nameglass', body, icon));
}
