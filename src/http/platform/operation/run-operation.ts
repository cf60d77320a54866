/**
 * The pipeline of a platform request, the same for every operation:
 *
 * 1. read the raw parameters of query string, form or JSON body, without judging them (`raw-parameters.ts`);
 * 2. authenticate the caller by the credentials among headers and parameters (`credentials.ts`);
 * 3. authorize: active account, provisioned product, the user's permission;
 * 4. read the declared parameters and validate them (`parameters.ts`);
 * 5. `parse` the query, so that a request that makes no sense is rejected before it counts;
 * 6. `charge` the request against the limits of its product;
 * 7. `handle` it and send the response in the requested format, or let the operation `respond` by itself.
 *
 * A Problem thrown at any step ends the request, and `dialect.ts` answers it. If it answers 429 or 503, a signature counts as unused.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { inFlow } from '../../../concurrency/event-loop-slices.ts';
import type { Caller } from '../../../model/account/account.ts';
import { Problem } from '../../../model/problem.ts';
import type { ProductId } from '../../../model/product-catalogue.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { type AuthenticateNeeds, authenticate } from '../../../product/account/authenticate.ts';
import { authorize } from '../../../product/account/authorize.ts';
import { chargeUsage, productCharge } from '../../../product/account/product-limits.ts';
import type { KeyUse, UsageStore } from '../../../store/usage-store.ts';
import { mountPrefixes, split, without } from '../../address.ts';
import { chargeQuestion } from '../../compat/repeated-question.ts';
import { pathWords } from '../../compat/words.ts';
import { problemOf } from '../../problem-of.ts';
import { isTemporary } from '../dialect.ts';
import { readCredentials } from './credentials.ts';
import { isWrite, type Operation, type OperationContext } from './define-operation.ts';
import type { Format } from './formats.ts';
import { parameterReader } from './parameters.ts';
import { type RawParameters, readRawParameters } from './raw-parameters.ts';
import { questionIdentity, requestIdentity } from './request-identity.ts';
import { readableParameters, routeSchema } from './route-schema.ts';
import { sendResponse } from './send-response.ts';

export interface PipelineNeeds extends AuthenticateNeeds {
  readonly usage: AuthenticateNeeds['usage'] & Pick<UsageStore, 'charge' | 'findSavedText' | 'noteUse'>;
  readonly settings: Settings;
}

interface AuthenticatedRequest {
  readonly caller: Caller;
  readonly raw: RawParameters;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where the route is a platform operation: the dialect answers problems by its fields. */
    readonly platformOperation?: Operation;
  }
}

export function registerOperation(scope: FastifyInstance, operation: Operation, needs: PipelineNeeds): void {
  const [method, url] = operation.route.split(' ') as [HTTPMethods, string];
  const { id, permission, onClose } = operation;
  if (onClose) scope.addHook('preClose', async () => onClose());
  scope.route({
    method,
    url,
    config: { access: permission, operation: id, scope: 'platform', platformOperation: operation },
    schema: routeSchema(operation),
    handler: requestHandler(operation, needs),
  });
}

function requestHandler(operation: Operation, needs: PipelineNeeds) {
  const { family, permission } = operation;
  const readParameters = parameterReader(readableParameters(operation), {
    invalid: operation.errorCode ?? family.errorCode,
    unreadable: family.errorCode,
  });
  const questionOf = questionIdentity(operation, readParameters);
  const signing = {
    prefixes: mountPrefixes(needs.settings),
    isWrite: isWrite(operation),
    identityOf: requestIdentity(operation, readParameters),
    identicalReadsMax: (request: FastifyRequest) => identicalReadsMax(request, needs.settings),
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const raw = readRawParameters(request, operation.bodyIsData);
    const { caller, release } = await authenticate(readCredentials(request, raw, signing), request, needs);
    request.username = caller.user.username;
    try {
      return await inFlow(caller.user.id, () => answer({ caller, raw, request, reply }));
    } catch (error) {
      const mayRepeat = !reply.raw.headersSent && isTemporary(problemOf(error).code);
      // The answer is the refusal, also if the store cannot record that the signature is unused.
      if (mayRepeat) await release().catch(() => undefined);
      throw error;
    }
  };

  async function answer({ caller, raw, request, reply }: AuthenticatedRequest): Promise<unknown> {
    const { query, context } = await accept({ caller, raw, request, reply });
    const { format } = context;
    if ('respond' in operation) return operation.respond(query, request, reply);
    const response = await operation.handle(context, query);
    const contentType = family.jsonContentType;
    return sendResponse(response, { format: format as Format, jsonContentType: contentType }, request, reply);
  }

  /** Everything that may refuse the request; what it counted as is noted either way. */
  async function accept({ caller, raw, request }: AuthenticatedRequest) {
    const nowMs = needs.clock.now();
    let item = 'refused';
    try {
      const grant = authorize(caller, { product: productOf(operation, request), permission }, nowMs);
      const { format = 'json', ...parameters } = readParameters(raw) as { format?: string };
      const context = { caller, grant, parameters, nowMs, raw, format, request };
      const parsed = operation.parse?.(context);
      const query = parsed instanceof Promise ? ((await parsed) as unknown) : parsed;
      if (operation.charge === 'free') item = 'free';
      else item = (await chargeOnce(context)) ? grant.product : 'free';
      return { query, context };
    } finally {
      needs.usage.noteUse(useOf(caller, item, request), nowMs);
    }
  }

  /** Whether it counts against the limits of its product. */
  async function chargeOnce(context: OperationContext<Record<string, unknown>>): Promise<boolean> {
    const { caller, request, raw, nowMs } = context;
    let counts = false;
    const charge = async () => {
      counts = await chargeRequest(operation, context, needs);
    };
    if (request.wording !== 'vendor' || isWrite(operation)) {
      await charge();
      return counts;
    }
    const question = {
      userId: caller.user.id,
      identity: questionOf(request, raw),
      hasFormat: raw.values.has('format'),
    };
    await chargeQuestion(question, needs.usage, { nowMs, charge });
    return counts;
  }
}

/** Public clients sign with whole seconds and repeat a read within one: also on the paths that both vocabularies share. */
function identicalReadsMax(request: FastifyRequest, { compat }: Settings): number {
  if (compat.profile === 'none') return 1;
  const { path } = split(request.url);
  const shared = pathWords.every(([neutral]) => without(path, neutral) === undefined);
  return request.wording === 'vendor' || shared ? compat.identicalReadsMax : 1;
}

function productOf({ product }: Operation, request: FastifyRequest): ProductId | 'any' {
  if (typeof product === 'string') return product;
  const chosen = product(request.params as Record<string, string>);
  if (!chosen) throw new Problem('not-found', 'There is no such feed.');
  return chosen;
}

async function chargeRequest(
  operation: Operation,
  context: OperationContext<Record<string, unknown>>,
  { usage, settings }: PipelineNeeds,
): Promise<boolean> {
  const { caller, grant, nowMs } = context;
  const chosen = typeof operation.charge === 'function' ? await operation.charge(context) : 'product';
  if (chosen === 'free') return false;
  const counted = chosen === 'product' ? productCharge(caller.account, grant, settings) : chosen;
  await chargeUsage(usage, counted, grant.product, nowMs);
  return true;
}

export function useOf({ account, user }: Caller, item: string, client: Pick<FastifyRequest, 'ip'>): KeyUse {
  const { id: userId, username } = user;
  return { accountId: account.id, username, item, key: { userId, client } };
}
