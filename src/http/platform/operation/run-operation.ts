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
 * A Problem thrown at any step ends the request, and `dialect.ts` answers it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Problem } from '../../../model/problem.ts';
import type { ProductId } from '../../../model/product-catalogue.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { type AuthenticateNeeds, authenticate } from '../../../product/account/authenticate.ts';
import { authorize } from '../../../product/account/authorize.ts';
import { chargeUsage, productCharge } from '../../../product/account/product-limits.ts';
import type { UsageStore } from '../../../store/usage-store.ts';
import { mountPrefixes } from '../../address.ts';
import { readCredentials } from './credentials.ts';
import type { Operation, OperationContext } from './define-operation.ts';
import type { Format } from './formats.ts';
import { parameterReader } from './parameters.ts';
import { readRawParameters } from './raw-parameters.ts';
import { readableParameters, routeSchema } from './route-schema.ts';
import { sendResponse } from './send-response.ts';

export interface PipelineNeeds extends AuthenticateNeeds {
  readonly usage: Pick<UsageStore, 'claimOnce' | 'charge'>;
  readonly settings: Settings;
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
  const signing = {
    prefixes: mountPrefixes(needs.settings),
    singleUse: operation.singleUseSignature ?? false,
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const raw = readRawParameters(request, operation.bodyIsData);
    const caller = await authenticate(readCredentials(request, raw, signing), needs);
    request.username = caller.user.username;
    const nowMs = needs.clock.now();
    const grant = authorize(caller, { product: productOf(operation, request), permission }, nowMs);
    const { format = 'json', ...parameters } = readParameters(raw) as { format?: string };
    const context = { caller, grant, parameters, nowMs, raw, format, request };
    const query = operation.parse && (await operation.parse(context));
    if (operation.charge !== 'free') await charge(operation, context, needs);
    if ('respond' in operation) return operation.respond(query, request, reply);
    const response = await operation.handle(context, query);
    const contentType = family.jsonContentType;
    return sendResponse(response, { format: format as Format, jsonContentType: contentType }, request, reply);
  };
}

function productOf({ product }: Operation, request: FastifyRequest): ProductId | 'any' {
  if (typeof product === 'string') return product;
  const chosen = product(request.params as Record<string, string>);
  if (!chosen) throw new Problem('not-found', 'There is no such feed.');
  return chosen;
}

async function charge(
  operation: Operation,
  context: OperationContext<Record<string, unknown>>,
  { usage, settings }: PipelineNeeds,
): Promise<void> {
  const { caller, grant, nowMs } = context;
  const chosen = typeof operation.charge === 'function' ? await operation.charge(context) : 'product';
  if (chosen === 'free') return;
  const counted = chosen === 'product' ? productCharge(caller.account, grant, settings) : chosen;
  await chargeUsage(usage, counted, grant.product, nowMs);
}
