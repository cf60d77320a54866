/** `nameglass triage` in a real terminal, on a real server: by keys alone. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type ScreenTerminal, screenTerminal } from '../../../harness/server/screen-terminal.ts';
import { type RemoteFixture, remoteFixture } from './remote-fixture.ts';

const names = ['acme-login', 'acme-pay', 'acme-shop', 'acme-bank', 'acme-help', 'acme-card', 'acme-id'];

async function withDomains(fixture: RemoteFixture): Promise<void> {
  await fixture.monitor('acme');
  for (const [index, name] of names.entries())
    await fixture.discover(`${name}.example`, {
      record: { domain_risk: { risk_score: 95 - index * 10, components: [] } },
    });
}

const rowsOf = (screen: string) =>
  [...screen.matchAll(/^[> ]\[.\].*?([a-z-]+)\.example /gm)].map(([, name]) => name);
const currentOf = (screen: string) => /^>.*?([a-z-]+)\.example/m.exec(screen)?.[1];

async function opened(terminal: ScreenTerminal): Promise<string> {
  return terminal.until('the list', (screen) => screen.includes('acme-id.example'));
}

test('five domains are decided about by keys, and the last decision is undone', async (t) => {
  const fixture = await remoteFixture(t);
  await withDomains(fixture);
  const terminal = screenTerminal(t, ['triage'], fixture.env);
  const first = await opened(terminal);
  assert.deepEqual(rowsOf(first), names);
  assert.match(first, /7 domains/);
  terminal.press('w');
  await terminal.until('the next one is current', (screen) => currentOf(screen) === 'acme-pay');
  terminal.press('i');
  await terminal.until('the next one is current', (screen) => currentOf(screen) === 'acme-shop');
  terminal.press('xjxb');
  await terminal.until('two are blocked', (screen) => screen.includes('Blocked 2 domains'));
  terminal.press('e');
  const fifth = await terminal.until('one is submitted', (screen) => screen.includes('Submitted acme-help'));
  assert.deepEqual(rowsOf(fifth), ['acme-card', 'acme-id']);
  terminal.press('u');
  await terminal.until(
    'it is back',
    (screen) => screen.includes('Undone') && currentOf(screen) === 'acme-help',
  );
  terminal.press('q');
  assert.equal(await terminal.ended(), 0);
  assert.equal(terminal.isFullScreen(), false);
  assert.deepEqual((await fixture.names('watched')).toSorted(), [
    'acme-bank.example',
    'acme-login.example',
    'acme-shop.example',
  ]);
  assert.deepEqual(await fixture.names('ignored'), ['acme-pay.example']);
});

test('a new size is drawn at once, help and card open and close, and what arrives is counted', async (t) => {
  const fixture = await remoteFixture(t);
  await withDomains(fixture);
  const terminal = screenTerminal(t, ['triage'], fixture.env);
  await opened(terminal);
  terminal.press('?');
  const help = await terminal.until('the keys', (screen) => screen.includes('Submit to safe browsing'));
  assert.match(help, /Facets[^]*In the web UI alone[^]*Make a campaign/);
  assert.match(help, /Write a note/);
  terminal.press('\u001b');
  await opened(terminal);
  terminal.press('o');
  await terminal.until('the card', (screen) => /Risk +95/.test(screen) && screen.includes('Screenshot'));
  terminal.resize(140, 40);
  await terminal.until('the card beside the list', (screen) =>
    /acme-login\.example.*│ acme-login/.test(screen),
  );
  assert.ok(terminal.lines().every((line) => line.length <= 140));
  await fixture.discover('acme-new.example');
  await terminal.until('the number', (screen) => screen.includes('1 new — press n'));
  assert.doesNotMatch(terminal.lines().join('\n'), /acme-new/);
  terminal.press('n');
  await terminal.until('the new one', (screen) => screen.includes('acme-new.example'));
  terminal.press('/pay\r');
  await terminal.until('the filter', (screen) => rowsOf(screen).length === 1);
  terminal.press('\u0003');
  assert.equal(await terminal.ended(), 130);
  assert.equal(terminal.isFullScreen(), false);
});

test('a decision that the server refuses comes back with its sentence', async (t) => {
  const fixture = await remoteFixture(t);
  await withDomains(fixture);
  const reader = await fixture.server.user({
    account: fixture.user.caller.account.name,
    permissions: ['read'],
  });
  const terminal = screenTerminal(t, ['triage'], { ...fixture.env, NAMEGLASS_API_KEY: reader.key });
  await opened(terminal);
  terminal.press('w');
  const screen = await terminal.until('the sentence', (text) => text.includes('left as before'));
  assert.equal(currentOf(screen), 'acme-login');
  terminal.signal(15);
  assert.equal(await terminal.ended(), 143);
  assert.equal(terminal.isFullScreen(), false);
});

test('text of third parties is drawn without control sequences, and nothing is coloured with NO_COLOR', async (t) => {
  const fixture = await remoteFixture(t);
  await fixture.monitor('acme');
  await fixture.discover('xn--cme-7cd.example', {
    record: {
      parsed_whois: { registrar: 'Evil \u001b]0;owned\u0007\u001b[31m\u202e Registrar' },
      domain_risk: { risk_score: 70, components: [] },
    },
  });
  const terminal = screenTerminal(t, ['triage'], { ...fixture.env, NO_COLOR: '1' });
  await terminal.until('the list', (screen) => screen.includes('xn--'));
  terminal.press('o');
  const screen = await terminal.until('the registrar', (text) => text.includes('Evil'));
  assert.match(screen, /Evil \]0;owned \[31mU\+202E Registrar/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals.
  assert.doesNotMatch(terminal.raw(), /\x1b\[[0-9;]*3[0-9]m|\u202e/);
  terminal.press('q');
  assert.equal(await terminal.ended(), 0);
});

/** A server that is not ours, or that has a bug. */
async function brokenServer(t: TestContext): Promise<string> {
  const server = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"watchlist_domains":[{"id":"a"}],"total_count":1}'),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an exception restores the terminal before it is printed, with exit code 1', async (t) => {
  const env = { NAMEGLASS_SERVER: await brokenServer(t), NAMEGLASS_API_KEY: 'a-key', HOME: '/nonexistent' };
  const terminal = screenTerminal(t, ['triage'], env);
  assert.equal(await terminal.ended(), 1);
  assert.equal(terminal.isFullScreen(), false);
  assert.match(terminal.raw().slice(terminal.raw().lastIndexOf('\u001b[?1049l')), /TypeError/);
});

test('an undone decision of a list that was read since is shown again', async (t) => {
  const fixture = await remoteFixture(t);
  await withDomains(fixture);
  const terminal = screenTerminal(t, ['triage'], fixture.env);
  await opened(terminal);
  terminal.press('i');
  await terminal.until('it has left', (screen) => currentOf(screen) === 'acme-pay');
  terminal.press('n');
  await terminal.until('six are left', (screen) => screen.includes('6 domains'));
  terminal.press('u');
  await terminal.until('seven are there', (screen) => rowsOf(screen).length === 7);
  terminal.press('q');
  assert.equal(await terminal.ended(), 0);
});

test('without a terminal it refuses with exit code 2, and says what does the same', async (t) => {
  const fixture = await remoteFixture(t);
  const { code, err } = await fixture.pipe(['triage']);
  assert.equal(code, 2);
  assert.match(err, /needs a terminal.*nameglass detect/);
});
