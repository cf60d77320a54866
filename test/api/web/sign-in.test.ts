import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fromBase32, totpCode, totpStep } from '../../../src/model/person/totp.ts';
import { type Answer, testServer } from '../../harness/server/test-server.ts';
import { webCall, webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });
const password = 'seven unrelated otters';
let addresses = 0;

/** An address of its own for every test: attempts are counted by address. */
function anAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

async function withPassword(more: Parameters<typeof webSession>[1] = {}) {
  const me = await webSession(server, more);
  const set = await me.call('PUT /me/password', { body: { password } });
  assert.equal(set.status, 204);
  const cookie = cookieOf(set);
  const signIn = (given: object = {}, from = anAddress()) =>
    webCall(server, 'POST /session', { body: { username: me.person.name, password, ...given }, from });
  return {
    ...me,
    cookie,
    signIn,
    call: (route: string, body?: object) => webCall(server, route, { cookie, ...(body ? { body } : {}) }),
  };
}

function cookieOf(answer: Answer): string {
  return /^ng=[\w-]{43}/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
}

async function withTotp() {
  const me = await withPassword();
  const { secret } = (await me.call('POST /me/totp')).json;
  const code = (drift = 0) => totpCode(fromBase32(secret), totpStep(server.clock.now()) + drift);
  const confirmed = await me.call('PUT /me/totp', { code: code() });
  const next = async (from?: string) => (await me.signIn({}, from)).json.step as string;
  const enter = (step: string, given: string, from = anAddress()) =>
    webCall(server, 'POST /session/totp', { body: { step, code: given }, from });
  server.clock.advanceSeconds(30);
  return { ...me, code, next, enter, codes: confirmed.json.recovery_codes as string[] };
}

test('the right password signs in with a new cookie, in any case of the name', async () => {
  const me = await withPassword();
  const answer = await me.signIn({ username: me.person.name.toUpperCase() });
  assert.equal(answer.status, 200);
  assert.equal(answer.json.me.person.name, me.person.name);
  const signedIn = await webCall(server, 'GET /me', { cookie: cookieOf(answer) });
  assert.equal(signedIn.status, 200);
});

test('the cookie is out of reach of scripts, of other sites and of other paths of the name', async () => {
  const { signIn } = await withPassword();
  const attributes = String((await signIn()).headers['set-cookie'])
    .split('; ')
    .slice(1);
  assert.deepEqual(attributes.slice(0, 3), ['Path=/', 'HttpOnly', 'SameSite=Lax']);
});

test('behind https the cookie has the prefix __Host- and is Secure', async (t) => {
  const secure = await testServer(t, { settings: { 'http.publicUrl': 'https://names.example' } });
  const me = await webSession(secure);
  const cookie = `__Host-${me.cookie}`;
  const answer = await webCall(secure, 'PUT /me/password', {
    cookie,
    body: { password },
    headers: { host: 'names.example' },
  });
  assert.match(
    String(answer.headers['set-cookie']),
    /^__Host-ng=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure;/,
  );
  assert.equal((await webCall(secure, 'GET /me', { cookie: me.cookie })).status, 401);
});

test('a wrong password and an unknown name get the same answer', async () => {
  const { signIn } = await withPassword();
  const wrong = await signIn({ password: 'something else entirely' });
  const unknown = await signIn({ username: 'nobody-at-all' });
  const without = ({ json }: Answer) => json.error;
  assert.deepEqual([wrong.status, unknown.status], [401, 401]);
  assert.deepEqual(without(wrong), without(unknown));
});

test('a person without a password cannot sign in with one', async () => {
  const { person } = await webSession(server, { hasPassword: false });
  const answer = await webCall(server, 'POST /session', {
    body: { username: person.name, password: 'none' },
    from: anAddress(),
  });
  assert.equal(answer.status, 401);
});

test('after five wrong passwords for a name from an address, each next attempt waits twice as long', async () => {
  const { signIn } = await withPassword();
  const from = anAddress();
  for (let tries = 0; tries < 5; tries += 1)
    assert.equal((await signIn({ password: 'x' }, from)).status, 401);
  for (const waitSeconds of [1, 2, 4]) {
    const refused = await signIn({}, from);
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, String(waitSeconds)]);
    server.clock.advanceSeconds(waitSeconds);
    assert.equal((await signIn({ password: 'x' }, from)).status, 401);
  }
  assert.equal((await signIn({}, anAddress())).status, 200);
});

test('unknown names are slowed down like known ones', async () => {
  const from = anAddress();
  const body = { username: 'nobody-here', password: 'x' };
  const statuses: number[] = [];
  for (let tries = 0; tries < 6; tries += 1)
    statuses.push((await webCall(server, 'POST /session', { body, from })).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
});

test('fifty guesses at the same time are judged no more often than five in a row', async () => {
  const { signIn } = await withPassword();
  const from = anAddress();
  const answers = await Promise.all(Array.from({ length: 50 }, () => signIn({ password: 'x' }, from)));
  assert.equal(answers.filter(({ status }) => status === 401).length, 5);
  assert.ok(answers.every(({ status }) => status === 401 || status === 429));
});

test('one IPv6 network is one address', async () => {
  const { signIn } = await withPassword();
  for (let tries = 0; tries < 5; tries += 1) await signIn({ password: 'x' }, `2001:db8::${tries + 1}`);
  assert.equal((await signIn({}, '2001:db8:0:0:ffff::1')).status, 429);
  assert.equal((await signIn({}, '2001:db8:0:1::1')).status, 200);
});

test('many names from one address are slowed down, too', async () => {
  const from = anAddress();
  const statuses: number[] = [];
  for (let tries = 0; tries < 31; tries += 1)
    statuses.push(
      (await webCall(server, 'POST /session', { body: { username: `guess${tries}`, password: 'x' }, from }))
        .status,
    );
  assert.deepEqual([statuses.lastIndexOf(401), statuses.indexOf(429)], [29, 30]);
});

test('a sign-in is in the audit log with its method, its address and the failures before it', async () => {
  const me = await withPassword();
  const from = anAddress();
  await me.signIn({ password: 'x' }, from);
  await me.signIn({}, from);
  const [entry] = await server.accounts.listAudit({ account: me.account, limit: 1 });
  assert.deepEqual([entry?.action, entry?.username], ['session.create', me.person.name]);
  const { session: _, ...detail } = entry?.detail ?? {};
  assert.deepEqual(detail, { method: 'password', address: from, failures: 1 });
});

test('with an authenticator app the password asks for a code, and the code signs in', async () => {
  const me = await withTotp();
  const step = await me.next();
  const answer = await me.enter(step, me.code());
  assert.equal(answer.json.me.credentials.totp, true);
  assert.equal((await webCall(server, 'GET /me', { cookie: cookieOf(answer) })).status, 200);
});

test('a code works once, also in another sign-in', async () => {
  const me = await withTotp();
  const [one, other] = [await me.next(), await me.next()];
  assert.equal((await me.enter(one, me.code())).status, 200);
  assert.equal((await me.enter(other, me.code())).status, 401);
  assert.equal((await me.enter(one, me.code(1))).status, 401);
  assert.equal((await me.enter(other, me.code(1))).status, 200);
});

test('guesses of the code are slowed down like guesses of the password', async () => {
  const me = await withTotp();
  const from = anAddress();
  const step = await me.next(from);
  const statuses: number[] = [];
  for (let tries = 0; tries < 6; tries += 1) statuses.push((await me.enter(step, me.code(99), from)).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
});

test('the right password between guesses of the code does not start the count anew', async () => {
  const me = await withTotp();
  const from = anAddress();
  for (let tries = 0; tries < 5; tries += 1)
    assert.equal((await me.enter(await me.next(from), me.code(99), from)).status, 401);
  assert.equal((await me.signIn({}, from)).status, 429);
});

test('an unfinished sign-in ends after five minutes', async () => {
  const me = await withTotp();
  const step = await me.next();
  server.clock.advanceSeconds(301);
  assert.equal((await me.enter(step, me.code())).status, 401);
});

test('ten recovery codes stand in for the app, each once, in any spelling', async () => {
  const me = await withTotp();
  assert.equal(new Set(me.codes).size, 10);
  const [first = ''] = me.codes;
  const answer = await me.enter(await me.next(), first.toUpperCase().replaceAll('-', ' '));
  assert.equal(answer.json.me.credentials.recovery_codes, 9);
  assert.equal((await me.enter(await me.next(), first)).status, 401);
});

test('an app counts only after its first code, and needs a password beside it', async () => {
  const me = await withPassword();
  await me.call('POST /me/totp');
  assert.ok((await me.signIn()).json.me);
  const refused = await me.call('PUT /me/totp', { code: '12345' });
  assert.deepEqual([refused.status, Object.keys(refused.json.error.fields)], [422, ['code']]);
  const bare = await webSession(server, { hasPassword: false });
  assert.equal((await bare.call('POST /me/totp')).status, 409);
});

test('a new password ends all other sessions and gives this one a new token', async () => {
  const me = await withPassword();
  const other = cookieOf(await me.signIn());
  const changed = await me.call('PUT /me/password', { password: 'eight different badgers' });
  const statusOf = async (cookie: string) => (await webCall(server, 'GET /me', { cookie })).status;
  assert.deepEqual([await statusOf(other), await statusOf(cookieOf(changed))], [401, 200]);
  server.clock.advanceSeconds(60);
  assert.equal(await statusOf(me.cookie), 401);
});

test('a weak password is refused with 422 and the reason', async () => {
  const me = await webSession(server);
  const answer = await me.call('PUT /me/password', { body: { password: 'password1234' } });
  assert.deepEqual(
    [answer.status, answer.json.error.fields.password],
    [422, ['is easy to guess; use several unrelated words']],
  );
});

test('how somebody signs in changes only within ten minutes of a sign-in', async () => {
  const me = await withPassword();
  server.clock.advanceSeconds(601);
  for (const [route, body] of [
    ['PUT /me/password', { password: 'eight different badgers' }],
    ['DELETE /me/password', undefined],
    ['POST /me/totp', undefined],
    ['PUT /me/totp', { code: '123456' }],
    ['DELETE /me/totp', undefined],
    ['POST /me/passkeys/options', undefined],
    ['DELETE /me/passkeys/x', undefined],
  ] as const) {
    const answer = await me.call(route, body);
    assert.deepEqual([answer.status, answer.json.error.code], [403, 'sign-in-again'], route);
  }
  const again = cookieOf(await me.signIn());
  assert.equal((await webCall(server, 'POST /me/totp', { cookie: again })).status, 200);
});

test('the only way to sign in cannot be removed', async () => {
  const me = await withPassword();
  const answer = await me.call('DELETE /me/password');
  assert.deepEqual([answer.status, answer.json.error.code], [409, 'conflict']);
});

test('no password, code or cookie is in the log', () => {
  for (const secret of [password, 'eight different badgers', 'ng='])
    assert.equal(server.log().includes(secret), false);
});
