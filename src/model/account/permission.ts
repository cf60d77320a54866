/** Permissions of users. The default is read-only; every permission includes `read`, and `admin` includes all. */
export const permissions = ['read', 'triage', 'escalate', 'manage', 'ingest', 'admin'] as const;

export type Permission = (typeof permissions)[number];

export function permits(held: readonly Permission[], needed: Permission): boolean {
  return needed === 'read' || held.includes(needed) || held.includes('admin');
}
