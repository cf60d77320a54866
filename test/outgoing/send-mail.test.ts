import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { mailSender } from '../../src/outgoing/send-mail.ts';
import { settingsOf } from '../harness/fixtures/delivery-fixture.ts';
import {
  openSmtpReceiver,
  partsOf,
  type ReceivedLetter,
  type SmtpOptions,
} from '../harness/network/smtp-receiver.ts';
import { tlsCertificate } from '../harness/network/tls-certificate.ts';

const letter = {
  to: 'soc@example.com',
  subject: 'Nameglass: 1 discovered',
  text: 'Grüße\n.\n..dots\n',
  html: '<p>Grüße</p>\n',
  id: 'abc.1-1',
};
const host = 'localhost';

async function mailing(
  t: TestContext,
  options: SmtpOptions,
  settings: Readonly<Record<string, string>>,
  ca = options.certificate?.cert,
) {
  const receiver = await openSmtpReceiver(t, options);
  const mail = {
    'mail.host': host,
    'mail.port': String(receiver.port),
    'mail.from': 'nameglass@example.org',
    ...settings,
  };
  const needs = { settings: settingsOf(mail), timeoutMs: 10_000 };
  return { receiver, send: mailSender(ca === undefined ? needs : { ...needs, ca }) };
}

test('a message is delivered with both parts, once, to one address', async (t) => {
  const { receiver, send } = await mailing(t, {}, { 'mail.security': 'none' });
  await send(letter);
  const [received] = receiver.letters as [ReceivedLetter];
  assert.deepEqual([received.from, received.to], ['FROM:<nameglass@example.org>', ['TO:<soc@example.com>']]);
  assert.match(received.source, /^Message-ID: <abc\.1-1@nameglass>\r$/m);
  assert.match(received.source, /^Auto-Submitted: auto-generated\r$/m);
  const parts = partsOf(received);
  assert.deepEqual([...parts.keys()], ['text/plain', 'text/html']);
  assert.equal(parts.get('text/plain')?.replaceAll('\r', '').trim(), letter.text.trim());
  assert.equal(parts.get('text/html')?.trim(), letter.html.trim());
});

test('neither subject nor address can inject a header or a recipient', async (t) => {
  const { receiver, send } = await mailing(t, {}, { 'mail.security': 'none' });
  await send({ ...letter, subject: 'a\r\nBcc: evil@example.com\r\n\r\nbody', id: 'a\r\nX: y' });
  const several = send({ ...letter, to: 'a@example.com, evil@example.com' });
  await assert.rejects(several, { code: 'invalid-parameters' });
  assert.equal(receiver.letters.length, 1);
  assert.doesNotMatch(receiver.letters[0]?.source ?? '', /^(?:Bcc|X):/im);
});

test('STARTTLS and TLS are used as set, with the password, and the certificate is verified', async (t) => {
  const certificate = await tlsCertificate(host);
  const credentials = { user: 'robot', password: 'mail-password' };
  const auth = { 'mail.username': 'robot', 'mail.password': 'mail-password' };
  for (const security of ['starttls', 'tls'] as const) {
    const options = { security, certificate, ...credentials };
    const { receiver, send } = await mailing(t, options, { 'mail.security': security, ...auth });
    await send(letter);
    assert.deepEqual(
      receiver.letters.map(({ overTls, user }) => [overTls, user]),
      [[true, 'robot']],
    );
    const wrong = { 'mail.security': security, ...auth, 'mail.password': 'other' };
    await assert.rejects((await mailing(t, options, wrong)).send(letter), { code: 'unavailable' });
    const stranger = await mailing(t, options, { 'mail.security': security, ...auth }, '');
    await assert.rejects(stranger.send(letter), { code: 'unavailable' });
    assert.equal(stranger.receiver.letters.length, 0);
  }
});

test('where STARTTLS is required and not supported nothing is sent', async (t) => {
  const { receiver, send } = await mailing(t, {}, { 'mail.security': 'starttls' });
  await assert.rejects(send(letter), { name: 'Problem', code: 'unavailable' });
  assert.equal(receiver.letters.length, 0);
});

test('a server that refuses, is silent or unreachable is a failure', async (t) => {
  const none = { 'mail.security': 'none' };
  const refusing = await mailing(t, { verdict: () => '451 later' }, none);
  await assert.rejects(refusing.send(letter), { code: 'unavailable', message: /451 later/ });
  const silent = mailSender({
    settings: settingsOf({ ...none, 'mail.host': host, 'mail.port': '1' }),
    timeoutMs: 500,
  });
  await assert.rejects(silent(letter), { code: 'unavailable' });
});
