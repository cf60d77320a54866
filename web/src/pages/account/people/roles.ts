/** Roles are names for sets of permissions; the server knows permissions alone. */
import type { PermissionName } from '../../../data/account/people.ts';

export const roles = {
  viewer: ['read'],
  analyst: ['read', 'triage'],
  lead: ['triage', 'escalate', 'manage'],
  integrator: ['read', 'ingest'],
  admin: ['admin'],
} as const satisfies Readonly<Record<string, readonly PermissionName[]>>;

export type Role = keyof typeof roles;

export const roleNames = Object.keys(roles) as readonly Role[];

/** Every permission but `ingest` includes `read`, and `admin` all of them: such are the same role. */
export function roleOf(held: readonly PermissionName[]): Role | undefined {
  const meaning = (permissions: readonly PermissionName[]) => {
    if (permissions.includes('admin')) return 'admin';
    const others = permissions.filter((permission) => permission !== 'read').toSorted();
    const reads = permissions.some((permission) => permission !== 'ingest');
    return [...(reads ? ['read'] : []), ...others].join(' ');
  };
  return roleNames.find((role) => meaning(roles[role]) === meaning(held));
}
