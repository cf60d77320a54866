/** Which permission each operation needs, by calling it: the table is the one of the operations themselves. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { webOperations } from '../../../src/http/web/operations.ts';
import { permissions, permits } from '../../../src/model/account/permission.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { type WebSession, webCall, webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });
const operations = webOperations(server as never).filter((operation) => !('respond' in operation));

/** Bodies are empty and ids unknown, so nothing changes; what counts is whether the refusal is about the permission. */
async function refusalOf(
  operation: (typeof operations)[number],
  me?: WebSession,
): Promise<string | undefined> {
  const route = `${operation.method} ${operation.path.replaceAll(/:\w+/g, 'x')}`;
  const request = operation.body ? { body: {} } : {};
  const answer = await (me ? me.call(route, request) : webCall(server, route, request));
  const code = answer.status >= 400 ? answer.json.error.code : undefined;
  return ['signed-out', 'permission-denied', 'setup-needed'].includes(code) ? code : undefined;
}

test('every operation that is not open refuses a request without a session', async () => {
  for (const operation of operations) {
    const expected = operation.access === 'open' ? undefined : 'signed-out';
    assert.equal(await refusalOf(operation), expected, `${operation.method} ${operation.path}`);
  }
});

test('only signing in is open', () => {
  const open = operations.filter(({ access }) => access === 'open').map(({ path }) => path);
  assert.deepEqual(
    open.filter((path) => !path.startsWith('/session')),
    [],
  );
});

test('people are managed by administrators, and everybody manages themselves', () => {
  const accessOf = (form: RegExp) =>
    new Set(operations.filter(({ path }) => form.test(path)).map(({ access }) => access));
  assert.deepEqual(accessOf(/^\/people/), new Set(['admin']));
  assert.deepEqual(accessOf(/^\/(?:sessions|me(?!\/looked))/), new Set(['session']));
});

for (const held of permissions) {
  test(`a person with the permission ${held} may do exactly what needs no other`, async () => {
    const me = await webSession(server, { permissions: [held] });
    const wrong: string[] = [];
    // Signing out would end the session that the others need.
    for (const operation of operations.filter(({ path }) => !path.startsWith('/session'))) {
      const { access } = operation;
      const needed = permissions.find((permission) => permission === access);
      const may = needed === undefined || permits([held], needed);
      const refusal = await refusalOf(operation, me);
      if ((refusal === undefined) !== may) wrong.push(`${operation.method} ${operation.path}: ${refusal}`);
    }
    assert.deepEqual(wrong, []);
  });
}
