/** The settings that the public servers of the world return. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { containsAddress } from '../../../src/model/address/address-list.ts';
import { worldPrefix } from '../../../world/servers/world-server.ts';
import { serveSmallWorld, siteAddresses } from './small-world.ts';

test('every host of its own has an address of the world, and the settings lead to them', async (t) => {
  const { server } = await serveSmallWorld(t);
  for (const address of Object.values(server.hosts)) assert.ok(containsAddress([worldPrefix], address));
  const { settings, hosts } = server;
  assert.ok(hosts[settings['collect.whoisServer'] ?? '']);
  assert.ok(hosts[new URL(settings['collect.rdapBootstrapUrl'] ?? '').hostname]);
  const urls = [settings['sources.certificateLogs'], settings['sources.certstreams']].flatMap(
    (text) => JSON.parse(text ?? '') as { readonly url: string; readonly name: string }[],
  );
  for (const { url, name } of urls) {
    assert.ok(hosts[new URL(url).hostname], url);
    assert.match(name, /^[a-z0-9][a-z0-9._-]{0,62}$/);
  }
});

test('two worlds stand side by side, and their logs are not the same', async (t) => {
  const [one, two] = [await serveSmallWorld(t), await serveSmallWorld(t)];
  assert.notEqual(
    one.server.settings['sources.certificateLogs'],
    two.server.settings['sources.certificateLogs'],
  );
  assert.equal((await one.get('http://brand.zon/')).status, 200);
  assert.equal((await two.get('https://rdap.nic.zon/help')).status, 200);
  const none = { whois: 0, rdap: 0, http: 0, https: 0, ct: 0, reports: 0, websocket: 0 };
  assert.deepEqual(one.server.requests(), { ...none, http: 1 });
});

test('closing ends every connection, even those that do nothing', async (t) => {
  const { server, port, addressOf } = await serveSmallWorld(t);
  const sockets = [
    connect(port('httpPort'), siteAddresses[0]),
    connect(port('httpsPort'), siteAddresses[0]),
    connect(port('whoisPort'), addressOf('whois.iana.test')),
  ];
  for (const socket of sockets) socket.on('error', () => undefined).resume();
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
  await server.close();
  await closed;
});

test('whatever is sent to the front, it answers the next one', async (t) => {
  const { port, get } = await serveSmallWorld(t);
  const line = fc.constantFrom(
    'GET / HTTP/1.1\r\n',
    'GET //[ HTTP/1.1\r\nhost: ]\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nhost:x\r\n\r\n',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('httpPort' as const, 'httpsPort' as const),
      line,
      fc.uint8Array({ maxLength: 300 }),
      async (setting, start, bytes) => {
        const socket = connect(port(setting), siteAddresses[0]);
        socket.on('error', () => undefined).resume();
        socket.write(start);
        socket.end(bytes);
        await once(socket, 'close');
      },
    ),
    { numRuns: 60 },
  );
  assert.equal((await get('http://brand.zon/')).status, 200);
});
