/**
 * Permissions of users. The default is read-only. Every permission includes `read`, except `ingest`, which only writes; `admin` includes
 * all.
 */
export const permissions = ['read', 'triage', 'escalate', 'manage', 'ingest', 'admin'] as const;

export type Permission = (typeof permissions)[number];

export function permits(held: readonly Permission[], needed: Permission): boolean {
  if (needed === 'read') return held.length === 0 || held.some((permission) => permission !== 'ingest');
  return held.includes(needed) || held.includes('admin');
}
