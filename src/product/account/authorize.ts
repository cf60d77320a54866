/** Whether the caller may use an operation: active account, provisioned product, the user's permission. */
import { type Caller, findGrant, type ProductGrant } from '../../model/account/account.ts';
import { type Permission, permits } from '../../model/account/permission.ts';
import { Problem } from '../../model/problem.ts';
import type { ProductId } from '../../model/product-catalogue.ts';

export interface Access {
  /** `any`: the account needs at least one product. */
  readonly product: ProductId | 'any';
  /** `owner`: only the API owner of the account. */
  readonly permission: Permission | 'owner';
}

/** Returns the grant that the request is charged to. */
export function authorize(caller: Caller, access: Access, nowMs: number): ProductGrant {
  const { account, user } = caller;
  if (!account.active) throw new Problem('not-provisioned', 'The account is not active.');
  const grant = findGrant(account, access.product, nowMs, user.products);
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
