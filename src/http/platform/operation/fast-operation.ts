/** Free operations whose response is often available without waiting, on the fast path: the same steps as in `run-operation.ts`. */
import { findKeyRefusal } from '../../../model/account/key-restrictions.ts';
import { authorize } from '../../../product/account/authorize.ts';
import type { AccountStore } from '../../../store/account-store.ts';
import type { FastRoute } from '../../fast-path/fast-route.ts';
import type { Operation } from './define-operation.ts';
import { type PipelineNeeds, useOf } from './run-operation.ts';
import { findSerialized } from './send-response.ts';

export interface FastOperationNeeds extends Pick<PipelineNeeds, 'clock' | 'usage'> {
  readonly accounts: Pick<AccountStore, 'findByKeySync'>;
}

/** With the key in `X-Api-Key` and without any parameters. */
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
  if (!('handleSync' in operation) || operation.charge !== 'free') return undefined;
  const { handleSync, product, permission, family } = operation;
  if (typeof product === 'function') return undefined;
  return (request) => {
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '' || request.url.includes('?')) return undefined;
    const caller = needs.accounts.findByKeySync?.(key);
    const nowMs = needs.clock.now();
    if (!caller || findKeyRefusal(caller.user, request, nowMs) !== undefined) return undefined;
    authorize(caller, { product, permission }, nowMs);
    const response = handleSync?.(caller) as object | undefined;
    const body = response && findSerialized(response);
    if (body === undefined) return undefined;
    request.username = caller.user.username;
    needs.usage.noteUse(useOf(caller, 'free', request), nowMs);
    return { contentType: family.jsonContentType, body };
  };
}
