/** Who may call which operation, by calling it: against a table that is written by hand. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { webOperations } from '../../../src/http/web/operations.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { type WebSession, webCall, webSession } from '../../harness/server/web-session.ts';
import { type Role, roles, roleTable } from './role-table.ts';

const server = await testServer({ after });
const operations = webOperations(server as never);
const nameOf = ({ method, path }: (typeof operations)[number]) => `${method} ${path}`;

const refusals: Readonly<Record<string, string>> = { '-': 'signed-out', '.': 'permission-denied' };

/** Bodies are empty and ids unknown, so nothing changes; what counts is whether the refusal is about the permission. */
async function markOf(operation: (typeof operations)[number], me?: WebSession): Promise<string> {
  const route = `${operation.method} ${operation.path.replaceAll(/:\w+/g, 'x')}`;
  const request = operation.body ? { body: {} } : {};
  const answer = await (me ? me.call(route, request) : webCall(server, route, request));
  const code = answer.status >= 400 ? answer.json.error.code : undefined;
  return Object.keys(refusals).find((mark) => refusals[mark] === code) ?? 'y';
}

async function signIn({ permissions, operator }: Role): Promise<WebSession | undefined> {
  if (permissions === undefined) return undefined;
  const session = await webSession(server, { permissions: [...permissions] });
  const author = { actor: 'operator', atMs: server.clock.now() };
  if (operator) await server.people.updatePerson(session.person.id, { operator: true }, author);
  return session;
}

test('the table of roles has every operation', () => {
  assert.deepEqual(operations.map(nameOf).toSorted(), [...roleTable.keys()].toSorted());
});

for (const [index, role] of roles.entries()) {
  test(`the role ${role.name} may call exactly what the table says`, async () => {
    const me = await signIn(role);
    const wrong: string[] = [];
    for (const operation of operations) {
      const wanted = roleTable.get(nameOf(operation))?.[index];
      // A stream does not end by itself, and signing out would end the session that the others need.
      if (wanted === 'y' && ('respond' in operation || nameOf(operation) === 'DELETE /session')) continue;
      const mark = await markOf(operation, me);
      if (mark !== wanted) wrong.push(`${nameOf(operation)}: ${mark} instead of ${wanted}`);
    }
    assert.deepEqual(wrong, []);
  });
}

test('an analyst who may not escalate decides, but does not block', async () => {
  const analyst = await webSession(server, { permissions: ['read', 'triage'] });
  const answer = await analyst.call('POST /detect/decisions', { body: { ids: ['x'], to: 'blocked' } });
  assert.deepEqual([answer.status, answer.json.error.code], [403, 'permission-denied']);
});

test('somebody who has set up neither password nor passkey may do nothing that needs a permission', async () => {
  const fresh = await webSession(server, { permissions: ['admin'], hasPassword: false });
  for (const operation of operations.filter((one) => !['open', 'session', 'operator'].includes(one.access))) {
    if ('respond' in operation) continue;
    const route = `${operation.method} ${operation.path.replaceAll(/:\w+/g, 'x')}`;
    const answer = await fresh.call(route, operation.body ? { body: {} } : {});
    assert.deepEqual([answer.status, answer.json.error.code], [403, 'setup-needed'], route);
  }
});
