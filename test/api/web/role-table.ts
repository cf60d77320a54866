/**
 * Who may call which operation of the web UI, written by hand: a permission that is changed where an operation is declared has to be changed
 * here as well. Marks in the order of `roles`: `y` may, `.` may not, `-` is asked to sign in.
 */
import type { Permission } from '../../../src/model/account/permission.ts';

export interface Role {
  readonly name: string;
  /** Undefined: nobody has signed in. */
  readonly permissions: readonly Permission[] | undefined;
  readonly operator?: true;
}

export const roles: readonly Role[] = [
  { name: 'nobody', permissions: undefined },
  { name: 'viewer', permissions: ['read'] },
  { name: 'analyst', permissions: ['read', 'triage'] },
  { name: 'lead', permissions: ['triage', 'escalate', 'manage'] },
  { name: 'integrator', permissions: ['read', 'ingest'] },
  { name: 'importer', permissions: ['ingest'] },
  { name: 'administrator', permissions: ['admin'] },
  { name: 'operator of the server', permissions: ['read'], operator: true },
];

const rows: readonly (readonly [marks: string, operations: readonly string[]])[] = [
  // Signing in.
  [
    'y y y y y y y y',
    [
      'POST /session',
      'POST /session/link',
      'POST /session/link/person',
      'POST /session/passkey/options',
      'POST /session/passkey/verify',
      'POST /session/totp',
      'GET /session/providers',
    ],
  ],
  // Oneself: settings, credentials, sessions.
  [
    '- y y y y y y y',
    [
      'DELETE /session',
      'GET /sessions',
      'DELETE /sessions',
      'DELETE /sessions/:id',
      'GET /me',
      'PATCH /me',
      'GET /me/identities',
      'POST /me/identities/:id',
      'DELETE /me/identities/:id',
      'GET /me/passkeys',
      'POST /me/passkeys',
      'POST /me/passkeys/options',
      'DELETE /me/passkeys/:id',
      'PUT /me/password',
      'DELETE /me/password',
      'POST /me/totp',
      'PUT /me/totp',
      'DELETE /me/totp',
    ],
  ],
  // Reading.
  [
    '- y y y y . y y',
    [
      'GET /blocklists',
      'GET /blocklists/allowed',
      'GET /detect/clusters',
      'GET /detect/counts',
      'GET /detect/decisions',
      'GET /detect/domains',
      'GET /detect/domains/:id',
      'GET /detect/domains/:id/cluster',
      'GET /detect/domains/:id/notes',
      'GET /detect/facets',
      'GET /domains/:name',
      'GET /domains/:name/history',
      'GET /domains/:name/pdns',
      'GET /domains/:name/pictures',
      'GET /domains/:name/record',
      'GET /domains/:name/requests',
      'GET /events',
      'GET /export',
      'GET /evidence/:id/pack',
      'GET /feeds',
      'GET /feeds/:feed/tail',
      'GET /investigations',
      'GET /investigations/:id',
      'GET /investigations/:id/export',
      'GET /monitors',
      'GET /learning',
      'GET /monitors/:id',
      'GET /own-domains',
      'GET /pdns/calendar',
      'GET /pdns/records',
      'GET /pdns/summary',
      'GET /pictures/:id',
      'GET /report',
      'GET /search',
      'GET /search/complete',
      'GET /search/count',
      'GET /search/facets',
      'GET /search/parameters',
      'GET /search-hash/:hash',
      'GET /tags',
      'GET /tags/overlap',
      'GET /usage',
      'GET /values/:kind/:value',
      // Reads, although they are posted: bodies too long for an address.
      'POST /domain-tags/read',
      'POST /investigations/:id/counts',
      'POST /investigations/:id/graph',
      'POST /pivots',
      'POST /search-hash',
      'PUT /me/looked',
    ],
  ],
  // Working on what was found.
  [
    '- . y y . . y .',
    [
      'GET /detect/assignees',
      'POST /detect/decisions',
      'POST /detect/decisions/:id/undo',
      'PUT /detect/domains/:id/assignee',
      'POST /detect/domains/:id/notes',
      'POST /domain-tags',
      'POST /domains/:name/refresh',
      'POST /evidence',
      'POST /investigations',
      'POST /investigations/import',
      'PATCH /investigations/:id',
      'DELETE /investigations/:id',
      'POST /investigations/:id/items',
      'PATCH /investigations/:id/items/:item',
      'DELETE /investigations/:id/items/:item',
      'POST /investigations/:id/nodes',
      'PATCH /investigations/:id/nodes/:node',
      'DELETE /investigations/:id/nodes/:node',
      'PATCH /tags/:id',
      'DELETE /tags/:id',
    ],
  ],
  // What is monitored, and who is notified.
  [
    '- . . y . . y .',
    [
      'POST /blocklists/allowed',
      'POST /blocklists/renew',
      'PUT /blocklists/selections/:name',
      'DELETE /blocklists/selections/:name',
      'DELETE /feed-sessions/:feed/:id',
      'POST /monitors',
      'POST /monitors/preview',
      'POST /monitors/:id/back-test',
      'POST /learning/suggestions/:id',
      'POST /learning/answers/:id/undo',
      'PATCH /monitors/:id',
      'DELETE /monitors/:id',
      'POST /own-domains',
      'GET /subscriptions',
      'POST /subscriptions',
      'GET /subscriptions/preview',
      'PATCH /subscriptions/:id',
      'DELETE /subscriptions/:id',
      'POST /subscriptions/:id/test',
      'GET /subscriptions/:id/deliveries',
      'POST /subscriptions/:id/deliveries/:n/replay',
    ],
  ],
  // The account.
  [
    '- . . . . . y .',
    [
      'GET /audit',
      'GET /audit/chain',
      'GET /identity-providers',
      'POST /identity-providers',
      'GET /identity-providers/tests/:token',
      'PATCH /identity-providers/:id',
      'DELETE /identity-providers/:id',
      'POST /identity-providers/:id/test',
      'GET /keys',
      'POST /keys',
      'POST /keys/test',
      'PATCH /keys/:username',
      'DELETE /keys/:username',
      'POST /keys/:username/reset',
      'GET /people',
      'POST /people',
      'PATCH /people/:id',
      'DELETE /people/:id',
      'POST /people/:id/invite',
      'DELETE /people/:id/second-factors',
      'DELETE /people/:id/sessions',
      'PUT /sign-on',
    ],
  ],
  // The server.
  ['- . . . . . . y', ['GET /health']],
];

/** Marks by operation, one for each role. */
export const roleTable: ReadonlyMap<string, readonly string[]> = new Map(
  rows.flatMap(([marks, operations]) =>
    operations.map((operation) => [operation, marks.split(' ')] as const),
  ),
);
