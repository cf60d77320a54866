/**
 * Runs the operations of the web UI: the session and the permission first, in a hook that also covers plain routes; then parameters and body;
 * then the charge; then the operation.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import { inFlow } from '../../concurrency/event-loop-slices.ts';
import { perMinute } from '../../model/account/limit.ts';
import { permissions } from '../../model/account/permission.ts';
import type { Clock } from '../../model/clock.ts';
import { findJsonExcess } from '../../model/json-bounds.ts';
import { hasCredentials } from '../../model/person/person.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { authorize } from '../../product/account/authorize.ts';
import { chargeUsage } from '../../product/account/product-limits.ts';
import { findSignedIn, type SessionNeeds } from '../../product/people/sessions.ts';
import type { UsageStore } from '../../store/usage-store.ts';
import { disconnectSignal } from '../platform/operation/disconnect-signal.ts';
import { parameterReader } from '../platform/operation/parameters.ts';
import { bodyOf, type RawValue } from '../platform/operation/raw-parameters.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { WebCaller, WebInput, WebOperation } from './web-operation.ts';

export interface WebRunNeeds extends SessionNeeds {
  readonly usage: Pick<UsageStore, 'charge'>;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly cookie: SessionCookie;
}

declare module 'fastify' {
  interface FastifyRequest {
    webCaller: WebCaller | undefined;
  }
}

/** Finds the person behind the cookie, and refuses those who may not call the route. */
export function requireSession(scope: FastifyInstance, needs: WebRunNeeds): void {
  scope.decorateRequest('webCaller', undefined);
  scope.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (access === undefined) return;
    const found = await findSignedIn(needs.cookie.find(request), needs);
    if (found?.newToken !== undefined) needs.cookie.set(reply, found.newToken);
    const caller = found?.signedIn;
    request.webCaller = caller;
    request.username = caller?.user.username;
    if (access === 'open') return;
    if (!caller) throw new Problem('credentials-missing', 'You are signed out. Sign in to go on.');
    if (access === 'session') return;
    if (!needs.settings.demo && !hasCredentials(caller.person))
      throw new Problem('setup-needed', 'Choose a passkey or a password first: a link works only once.');
    if (access === 'operator') return requireOperator(caller);
    const permission = permissions.find((known) => known === access);
    if (permission !== undefined) authorize(caller, { product: 'any', permission }, needs.clock.now());
  });
}

function requireOperator({ person }: WebCaller): void {
  if (person.operator) return;
  throw new Problem(
    'permission-denied',
    `Only operators of this server may do this. Who runs it can make you one: nameglass person operator ${person.name}`,
  );
}

const noMembers = Type.Object({});
const codes = { invalid: 'invalid-parameters', unreadable: 'invalid-parameters' } as const;

export function registerWebOperation(
  scope: FastifyInstance,
  operation: WebOperation,
  needs: WebRunNeeds,
): void {
  const { method, path: url, access, onClose } = operation;
  const readers = {
    params: parameterReader(operation.params ?? noMembers, codes),
    query: parameterReader(operation.query ?? noMembers, codes),
    body: parameterReader(operation.body ?? noMembers, codes),
  };
  if (onClose) scope.addHook('preClose', async () => onClose());
  scope.route({
    method,
    url,
    config: { access, operation: `${method} ${url}`, scope: 'web' },
    schema: { hide: true },
    handler: (request, reply) => {
      const answer = async () => {
        const params = readers.params({ values: textValues(Object.entries(request.params as object)) });
        const query = readers.query({ values: queryValues(request) });
        const body = operation.body ? readers.body(readJsonBody(request)) : {};
        await charge(operation, request.webCaller, needs);
        const input = { params, query, body, ...surroundings(request, reply, needs) } as OperationInput;
        if ('respond' in operation) return operation.respond(input);
        const value = await operation.handle(input);
        return value === undefined ? reply.code(204).send() : reply.send(value);
      };
      return inFlow(request.webCaller?.user.id ?? request.ip, answer);
    },
  });
}

type OperationInput = Parameters<Extract<WebOperation, { respond: unknown }>['respond']>[0];
type Surroundings = Omit<WebInput<unknown, unknown, unknown, WebCaller>, 'params' | 'query' | 'body'>;

/** Only operations that are open to anyone are called without a caller, and their type says so. */
function surroundings(request: FastifyRequest, reply: FastifyReply, { clock }: WebRunNeeds): Surroundings {
  const caller = request.webCaller as WebCaller;
  return { caller, nowMs: clock.now(), signal: disconnectSignal(reply), request, reply };
}

function queryValues(request: FastifyRequest): ReadonlyMap<string, RawValue> {
  const query = request.query as Map<string, string[]>;
  return new Map([...query].map(([name, text]) => [name, { text }]));
}

function textValues(entries: readonly [string, string][]): ReadonlyMap<string, RawValue> {
  return new Map(entries.map(([name, text]) => [name, { text: [text] }]));
}

/** JSON under its own content type only: a form of another site cannot send that. */
function readJsonBody(request: FastifyRequest): Parameters<ReturnType<typeof parameterReader<TObject>>>[0] {
  const text = bodyOf(request).toString('utf8');
  const values = new Map<string, RawValue>();
  if (text === '') return { values };
  const [type = ''] = (request.sentContentType ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    return { values, fault: 'The body must be JSON, with the header Content-Type: application/json.' };
  const excess = findJsonExcess(text);
  if (excess !== undefined) return { values, fault: `The JSON body ${excess}.` };
  const parsed = parse(text);
  if (!parsed) return { values, fault: 'The body is not valid JSON.' };
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { values, bodyIsNoObject: true };
  for (const [name, member] of Object.entries(value)) values.set(name, { member });
  return { values };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Requires the product, and counts pages that a person reads. */
async function charge(
  operation: WebOperation,
  caller: WebCaller | undefined,
  needs: WebRunNeeds,
): Promise<void> {
  if (!caller || (operation.product === undefined && operation.charge === undefined)) return;
  const { settings, usage } = needs;
  const nowMs = needs.clock.now();
  const { product = 'any' } = operation;
  const permission = permissions.find((known) => known === operation.access) ?? 'read';
  const grant = authorize(caller, { product, permission }, nowMs);
  if (operation.charge === 'page') {
    const subject = `person:${caller.person.id}/pages`;
    const limits = [
      { ...perMinute(settings.web.pagesPerMinute), subject, counted: 'pages read in the web UI' },
    ];
    await chargeUsage(usage, { limits }, grant.product, nowMs);
  }
}
