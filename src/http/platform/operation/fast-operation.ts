/**
 * Operations whose response is often known, on the fast path: free ones that answer without waiting, and those that are asked the same again.
 * The same steps as in `run-operation.ts`.
 */
import type { Caller } from '../../../model/account/account.ts';
import { findKeyRefusal } from '../../../model/account/key-restrictions.ts';
import { authorize } from '../../../product/account/authorize.ts';
import { productCharge } from '../../../product/account/product-limits.ts';
import type { AccountStore } from '../../../store/account-store.ts';
import type { FastRequest, FastRoute } from '../../fast-path/fast-route.ts';
import type { Operation } from './define-operation.ts';
import { type PipelineNeeds, useOf } from './run-operation.ts';
import { findSerialized } from './send-response.ts';

export interface FastOperationNeeds extends Pick<PipelineNeeds, 'clock' | 'usage' | 'settings'> {
  readonly accounts: Pick<AccountStore, 'findByKeySync'>;
}

/** With the key in `X-Api-Key`. */
export function fastOperations(
  operations: readonly Operation[],
  prefix: string,
  needs: FastOperationNeeds,
): readonly FastRoute[] {
  return operations.flatMap((operation) => {
    const answer = fastAnswer(operation, needs);
    if (!answer) return [];
    const path = prefix + operation.route.slice('GET '.length);
    const route = { operation: operation.id, scope: 'platform', answer };
    return [
      { ...route, path },
      { ...route, path: path.slice(0, -1) },
    ];
  });
}

function fastAnswer(operation: Operation, needs: FastOperationNeeds): FastRoute['answer'] | undefined {
  if ('findAgain' in operation && operation.route.startsWith('GET ')) return againAnswer(operation, needs);
  return 'handleSync' in operation && operation.charge === 'free' ? syncAnswer(operation, needs) : undefined;
}

function findCaller(request: FastRequest, needs: FastOperationNeeds, nowMs: number): Caller | undefined {
  const key = request.headers['x-api-key'];
  const caller = typeof key !== 'string' || key === '' ? undefined : needs.accounts.findByKeySync?.(key);
  return caller && findKeyRefusal(caller.user, request, nowMs) === undefined ? caller : undefined;
}

/** A signature among the parameters would decide who is calling, and be used up. */
const credentialsInUrl = /[?&](signature|api_)/;

function againAnswer(
  { findAgain, product, permission }: Extract<Operation, { respond: unknown }>,
  needs: FastOperationNeeds,
): FastRoute['answer'] | undefined {
  if (typeof product === 'function') return undefined;
  const { usage, settings } = needs;
  return (request) => {
    const nowMs = needs.clock.now();
    const caller = findCaller(request, needs, nowMs);
    if (!caller || credentialsInUrl.test(request.url)) return undefined;
    const grant = authorize(caller, { product, permission }, nowMs);
    const answer = findAgain?.(request.url, caller, nowMs);
    if (!answer) return undefined;
    return usage.charge(productCharge(caller.account, grant, settings), nowMs).then(({ granted }) => {
      // Fastify is refused the same, and says so.
      if (!granted) return undefined;
      request.username = caller.user.username;
      usage.noteUse(useOf(caller, grant.product, request), nowMs);
      return answer;
    });
  };
}

/** Without any parameters. */
function syncAnswer(
  operation: Extract<Operation, { handle: unknown }>,
  needs: FastOperationNeeds,
): FastRoute['answer'] | undefined {
  const { handleSync, product, permission, family } = operation;
  if (typeof product === 'function') return undefined;
  return (request) => {
    const nowMs = needs.clock.now();
    const caller = request.url.includes('?') ? undefined : findCaller(request, needs, nowMs);
    if (!caller) return undefined;
    authorize(caller, { product, permission }, nowMs);
    const response = handleSync?.(caller) as object | undefined;
    const body = response && findSerialized(response);
    if (!response || body === undefined) return undefined;
    request.username = caller.user.username;
    needs.usage.noteUse(useOf(caller, 'free', request), nowMs);
    return { contentType: family.jsonContentType, body, keeper: response };
  };
}
