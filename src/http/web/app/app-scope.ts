/** Serves the app under `/ui`: its files, and its entry page at every other path, because the app has addresses of its own. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../../model/settings/settings.ts';
import { setDialect } from '../../dialect.ts';
import { frontDialect } from '../../front/dialect.ts';
import { htmlPage } from '../../html-page.ts';
import { hostFault } from '../request-checks.ts';
import { type AppFile, type AppFiles, entryPage } from './app-files.ts';

/**
 * Scripts, styles, pictures and data from this server alone; no other page frames this one. No text becomes a script: the one policy of Trusted
 * Types accepts the script of the graph's layout, which runs in a thread of its own, and nothing else.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types nameglass-worker',
].join('; ');

/** Everything that a page could ask the browser for, but the passkeys of this very page. */
const permissionsPolicy =
  `accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope hid idle-detection
  magnetometer microphone midi payment picture-in-picture screen-wake-lock serial usb xr-spatial-tracking`
    .split(/\s+/)
    .map((feature) => `${feature}=()`)
    .concat('publickey-credentials-create=(self)', 'publickey-credentials-get=(self)')
    .join(', ');

/** On every answer below `/ui`, the API included. */
export const uiHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissionsPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const immutable = 'public, max-age=31536000, immutable';

export function appScope(files: AppFiles, settings: Pick<Settings, 'http'>) {
  const findHostFault = hostFault(settings);
  return async (scope: FastifyInstance) => {
    setDialect(scope, frontDialect);
    scope.addHook('onRequest', (request, reply, done) => {
      reply.headers(uiHeaders);
      done(findHostFault(request));
    });
    const config = { access: 'open', operation: 'app', scope: 'web' } as const;
    const options = { config, exposeHeadRoute: true, schema: { hide: true } };
    const answer = (request: FastifyRequest, reply: FastifyReply) => {
      const name = (request.params as { '*'?: string })['*'] ?? '';
      const file = files.get(name) ?? files.get(entryPage);
      return file ? sendFile(file, request, reply) : sendMissing(reply);
    };
    scope.get('/', options, answer);
    scope.get('/*', options, answer);
  };
}

function sendFile(file: AppFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .header('cache-control', file.isImmutable ? immutable : 'no-cache')
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
    .header('content-type', file.contentType);
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  if (file.br && accepted.has('br')) return reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && accepted.has('gzip')) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}

function acceptedEncodings(header: string | string[] = ''): ReadonlySet<string> {
  const offers = String(header)
    .split(',')
    .map((offer) =>
      offer
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/),
    );
  return new Set(
    offers.filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? '')).map(([name]) => name ?? ''),
  );
}

function sendMissing(reply: FastifyReply): FastifyReply {
  const body =
    '<h1>Nameglass</h1><p>The web UI is not built. Run <code>npm run build</code> in the folder of Nameglass, then restart the server.</p>' +
    '<p>The APIs work without it.</p>';
  return reply.code(503).type('text/html; charset=utf-8').send(htmlPage('Nameglass', body));
}
