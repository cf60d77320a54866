import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainFailure } from '../../../src/cli/remote/remote-failure.ts';
import { type ErrorDetails, NameglassError } from '../../../src/client/nameglass-error.ts';

const server = 'https://names.example';
const nowMs = Date.parse('2026-03-04T10:00:00Z');

const explained = (message: string, details: ErrorDetails) =>
  explainFailure(new NameglassError(message, details), server, nowMs);

const unreachable = (code: string) =>
  explained('cannot be reached', {
    code: 'unreachable',
    cause: new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) }),
  });

const connections: readonly (readonly [code: string, says: RegExp])[] = [
  ['ENOTFOUND', /no host names\.example/],
  ['EAI_AGAIN', /no DNS server answers/],
  ['ECONNREFUSED', /is the server running/],
  ['UND_ERR_CONNECT_TIMEOUT', /does not answer/],
  ['CERT_HAS_EXPIRED', /has expired/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /not for names\.example/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', /does not speak TLS/],
];

for (const [code, says] of connections) {
  test(`${code} is one sentence with exit code 1`, () => {
    const { sentence = '', exitCode } = unreachable(code) ?? {};
    assert.match(sentence, says);
    assert.equal(exitCode, 1);
  });
}

const codes: readonly (readonly [code: ErrorDetails['code'], exitCode: number])[] = [
  ['invalid', 2],
  ['authentication', 3],
  ['permission', 3],
  ['not-found', 4],
  ['limit', 5],
  ['unavailable', 1],
  ['incomplete', 1],
  ['failed', 1],
];

for (const [code, exitCode] of codes) {
  test(`a failure of the kind ${code} has exit code ${exitCode}`, () => {
    assert.equal(explained('Something.', { code })?.exitCode, exitCode);
  });
}

test('a limit says when to try again, once, and how to wait for it', () => {
  const { sentence } = explained('The limit is reached: 2 per minute. Try again in 55 seconds.', {
    code: 'limit',
    retryAfterSeconds: 55,
  }) as { sentence: string };
  assert.equal(
    sentence,
    'The limit is reached: 2 per minute. Try again in 55 s, at 10:00:55 UTC; --wait 55 waits for it.',
  );
});

test('a limit that waiting does not lift says so', () => {
  assert.match(explained('Quota is used up', { code: 'limit' })?.sentence ?? '', /Waiting does not help/);
});

test('a wrong key names the server and the command that stores another', () => {
  const { sentence = '' } = explained('the key is not valid', { code: 'authentication', status: 403 }) ?? {};
  assert.match(sentence, /names\.example refuses the key: .*\. nameglass login/);
});

test('HTML in place of JSON is explained as the address of something else', () => {
  const { sentence = '' } = explained('The response is not JSON.', { code: 'unexpected', status: 200 }) ?? {};
  assert.match(sentence, /web page/);
});

test('invalid members are named', () => {
  const fields = { term: ['must have 3 to 128 characters'] };
  assert.equal(
    explained('The given data was invalid. must have 3 to 128 characters', { code: 'invalid', fields })
      ?.sentence,
    'term: must have 3 to 128 characters',
  );
});

test('a mistake of ours is not explained away', () => {
  assert.equal(explainFailure(new TypeError('x is not a function'), server, nowMs), undefined);
});
