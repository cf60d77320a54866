/** A page of another origin, in a real browser in which somebody is signed in. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { appOf } from '../../harness/browser/start-app.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
const openApp = appOf(scope);

async function otherSite(): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Another site</title>');
  });
  server.listen(0);
  await once(server, 'listening');
  scope.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const invitation = JSON.stringify({ name: 'intruder', permissions: ['admin'] });

/** Everything that a page can make a browser send elsewhere, with the cookies of that place. */
const attacks = (target: string) => `(async () => {
  const target = ${JSON.stringify(target)};
  const body = ${JSON.stringify(invitation)};
  const send = (options) => fetch(target + '/ui/api/people', { method: 'POST', credentials: 'include', body, ...options })
    .then(({ type }) => type, () => 'failed');
  const plain = await send({ mode: 'no-cors' });
  const withHeader = await send({ headers: { 'x-requested-with': 'nameglass', 'content-type': 'application/json' } });
  const read = await fetch(target + '/ui/api/me', { credentials: 'include' }).then(() => 'read', () => 'failed');
  const image = await new Promise((resolve) => {
    const made = new Image();
    made.onload = () => resolve('drawn');
    made.onerror = () => resolve('failed');
    made.src = target + '/ui/api/me';
  });
  const frame = document.createElement('iframe');
  frame.name = 'frame';
  document.body.append(frame);
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: target + '/ui/api/people', enctype: 'text/plain', target: 'frame' });
  const field = document.createElement('input');
  field.name = body.slice(0, -1) + ',"x":"';
  field.value = '"}';
  form.append(field);
  document.body.append(form);
  const sent = new Promise((resolve) => frame.addEventListener('load', resolve));
  form.submit();
  await sent;
  return [plain, withHeader, read, image];
})()`;

test('pages of another site, and of another port of the same one, can neither write, read, draw nor frame anything', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const port = await otherSite();
  const me = await (await app.account()).person('cross-origin-admin', ['admin']);
  for (const host of ['localhost', '127.0.0.1']) {
    const { page } = await app.open(t, me, '/ui/');
    const statuses: number[] = [];
    await page.goto(`http://${host}:${port}/`);
    // From here on: what the app itself was still reading is not an attack.
    page.on('response', (response) => {
      if (response.url().startsWith(`${app.url}/ui/api`)) statuses.push(response.status());
    });
    const [plain, withHeader, read, image] = (await page.evaluate(attacks(app.url))) as string[];
    assert.deepEqual([withHeader, read, image], ['failed', 'failed', 'failed'], host);
    assert.ok(plain === 'opaque' || plain === 'failed');
    assert.ok(
      statuses.length > 0 && statuses.every((status) => status === 403 || status === 404),
      statuses.join(' '),
    );
    const framed: unknown = await page.evaluate(
      `new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.src = ${JSON.stringify(`${app.url}/ui/`)};
        frame.onload = () => resolve(frame.contentDocument === null ? 'unreadable' : 'readable');
        document.body.append(frame);
      })`,
    );
    assert.equal(framed, 'unreadable');
    const inner: unknown = page.frames().find((frame) => frame.url().startsWith(`${app.url}/ui/`));
    assert.equal(inner, undefined, 'the browser shows its own error page instead');
  }
  const { people } = (await me.call('GET /people')).json;
  assert.deepEqual(
    people.map(({ name }: { name: string }) => name),
    ['cross-origin-admin'],
  );
});
