import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PasswordHasher } from '../../../src/product/people/password-hasher.ts';
import { signInByPassword } from '../../../src/product/people/sign-in.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });

/** Names that exist must not be recognizable by the time of the answer, and a hash is nearly all of that time. */
test('a hash is computed for every attempt: unknown names and people without a password included', async () => {
  const hasher = new PasswordHasher({ memoryKib: 8, passes: 1 });
  const author = { actor: 'operator', atMs: server.clock.now() };
  const [known, bare] = [await webSession(server), await webSession(server, { hasPassword: false })];
  await server.people.setPasswordHash(known.person.id, await hasher.hash('seven unrelated otters'), author);
  for (const name of [known.person.name, bare.person.name, 'nobody-at-all']) {
    let hashes = 0;
    const passwords = {
      verify: (password: string, stored: string | undefined) => {
        hashes += 1;
        return hasher.verify(password, stored);
      },
    };
    const client = { address: '192.0.2.1', agent: '', isLoopback: false };
    const signIn = signInByPassword({ name, password: 'wrong' }, client, { ...server, passwords });
    await assert.rejects(signIn, {
      code: 'credentials-invalid',
      message: 'The name or the password is not right.',
    });
    assert.equal(hashes, 1, name);
  }
});
