/** Whether the caller may use an operation: an active account, the product provisioned to it, the user's permission. */
import { type Caller, findGrant, type ProductGrant } from '../../model/account.ts';
import { type Permission, permits } from '../../model/permission.ts';
import { Problem } from '../../model/problem.ts';
import type { ProductId } from '../../model/product-catalogue.ts';

export interface Access {
  readonly product: ProductId;
  /** `owner`: the API owner of the account alone. */
  readonly permission: Permission | 'owner';
}

/** The grant under which the request goes on. */
export function authorize(caller: Caller, access: Access, nowMs: number): ProductGrant {
  const { account, user } = caller;
  if (!account.active) throw new Problem('not-provisioned', 'The account is not active.');
  const grant = findGrant(account, access.product, nowMs);
  if (!grant) {
    throw new Problem('not-provisioned', `The account is not provisioned for ${access.product}.`);
  }
  if (access.permission === 'owner') {
    if (!user.apiOwner)
      throw new Problem('permission-denied', 'Only the API owner of the account may do this.');
  } else if (!permits(user.permissions, access.permission)) {
    throw new Problem('permission-denied', `The user lacks the permission "${access.permission}".`);
  }
  return grant;
}
