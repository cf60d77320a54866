/** Whether the caller may use an operation: an active account, the product provisioned to it, the user's permission. */
import { type Caller, findGrant, type ProductGrant } from '../../model/account.ts';
import { type Permission, permits } from '../../model/permission.ts';
import { Problem } from '../../model/problem.ts';
import type { ProductId } from '../../model/product-catalogue.ts';

export interface Access {
  /** `any`: whatever the account has; one without any product is not provisioned. */
  readonly product: ProductId | 'any';
  /** `owner`: the API owner of the account alone. */
  readonly permission: Permission | 'owner';
}

/** The grant under which the request goes on. */
export function authorize(caller: Caller, access: Access, nowMs: number): ProductGrant {
  const { account, user } = caller;
  if (!account.active) throw new Problem('not-provisioned', 'The account is not active.');
  const grant = findGrant(account, access.product, nowMs);
  if (!grant) {
    const what = access.product === 'any' ? 'any product' : access.product;
    throw new Problem('not-provisioned', `The account is not provisioned for ${what}.`);
  }
  if (access.permission === 'owner') {
    if (!user.apiOwner)
      throw new Problem('permission-denied', 'Only the API owner of the account may do this.');
  } else if (!permits(user.permissions, access.permission)) {
    throw new Problem('permission-denied', `The user lacks the permission "${access.permission}".`);
  }
  return grant;
}
