/** Syslog to rsyslog, which parses every message with its own parsers. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventJson } from '../../../src/model/detect/event-json.ts';
import { logStart } from '../../../src/store/paging/log-position.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { deliveryFixture, until } from '../../harness/fixtures/delivery-fixture.ts';
import { facts } from '../../harness/fixtures/watch-domains.ts';
import { type ParsedMessage, startRsyslog } from '../../harness/network/rsyslog.ts';
import { tlsCertificate } from '../../harness/network/tls-certificate.ts';

/** Generous, because it may include an installation. */
const options = { timeout: 600_000 };
const by = (atMs: number) => ({ username: 'alice', atMs });

async function startWorld(t: TestContext) {
  if (!needsPackage(t, 'rsyslog', 'rsyslogd')) return undefined;
  // The package has no command: what dpkg notes about it says that it is there.
  if (!needsPackage(t, 'rsyslog-gnutls', '../../var/lib/dpkg/info/rsyslog-gnutls.list')) return undefined;
  const certificate = await tlsCertificate('localhost');
  const rsyslog = await startRsyslog(t, certificate);
  const world = await deliveryFixture(t, { 'outgoing.allow': '127.0.0.1,::1' });
  const subscribe = (target: string, format: 'cef' | 'ecs') =>
    world.subscribe(target, {
      by: 'syslog',
      format,
      seed: '',
      options: target.startsWith('tls:') ? { ca: certificate.cert } : {},
    });
  return { world, rsyslog, subscribe };
}

const dataOf = (message: ParsedMessage) => message['$!']['rfc5424-sd']?.['nameglass@32473'];

test(
  'rsyslog parses every field of every event, over TCP and over TLS, in CEF and in ECS',
  options,
  async (t) => {
    const started = await startWorld(t);
    if (!started) return;
    const { world, rsyslog, subscribe } = started;
    const targets = [`tcp://127.0.0.1:${rsyslog.plainPort}`, `tls://localhost:${rsyslog.securePort}`];
    const subscriptions = [];
    for (const target of targets)
      for (const format of ['cef', 'ecs'] as const) subscriptions.push(await subscribe(target, format));
    const { watchlist, escalations, accountId, clock } = world;
    const ids = await world.discover('acme.top', 'xn--cme-5cd.example');
    await escalations.escalateDomains(accountId, [...ids.values()], 'blocked', by(clock.now()));
    const change = {
      domain: 'acme.top',
      facts: { ...facts, riskScore: 80, riskStatus: 'full' },
      changed: { atMs: clock.now(), fields: ['ip', 'name_server'] },
    } as const;
    await watchlist.applyRecordChanges([change], { from: logStart, to: '1' }, clock.now());
    const events = await world.events.listEvents(accountId, { afterId: 0, limit: 100 });
    assert.deepEqual(new Set(events.map(({ kind }) => kind)).size, 4);
    world.start();
    await until(() => rsyslog.read().length === 4 * events.length);
    const messages = rsyslog.read();
    const first = events[0]?.id;
    const last = events.at(-1)?.id;
    for (const { id, format, target } of subscriptions) {
      const own = messages.filter((message) => dataOf(message)?.['subscription_id'] === id);
      assert.deepEqual(
        own.map((message) => message.inputname),
        events.map(() => (target.startsWith('tls:') ? 'secure' : 'plain')),
      );
      const deliveryId = `${id}.${first}-${last}`;
      assert.deepEqual(
        own.map((message) => [
          message.hostname,
          message['app-name'],
          message.msgid,
          message.timereported,
          dataOf(message),
        ]),
        events.map((event) => [
          '127.0.0.1',
          'nameglass',
          event.kind,
          new Date(event.atMs).toISOString(),
          {
            event_id: String(event.id),
            domain_id: event.domainId,
            subscription_id: id,
            delivery_id: deliveryId,
          },
        ]),
      );
      if (format === 'ecs')
        assert.deepEqual(
          own.map((message) => message['$!'].ecs.nameglass),
          events.map((event) => ({ ...eventJson(event), delivery_id: deliveryId })),
        );
      else
        assert.deepEqual(
          own.map(({ '$!': { cef } }) => [
            cef.DeviceVendor,
            cef.SignatureID,
            cef.Extensions.externalId,
            // liblognorm drops the first character of an extension that follows its bar at once, as the specification has it.
            cef.Extensions.rt ?? cef.Extensions.t,
            cef.Extensions.dhost,
            cef.Extensions.destinationDnsDomain,
            cef.Extensions.cs1,
            cef.Extensions.cs2,
            cef.Extensions.cs3,
            cef.Extensions.cn1,
            cef.Extensions.msg,
          ]),
          events.map((event) => [
            'Nameglass',
            event.kind,
            String(event.id),
            String(event.atMs),
            event.domain,
            (eventJson(event) as { domain: string }).domain,
            'acme',
            event.domainId,
            deliveryId,
            event.kind === 'risk-full' ? '80' : undefined,
            { escalated: 'type: blocked', changed: 'fields: ip, name_server' }[event.kind as string],
          ]),
        );
    }
  },
);

test('nothing is lost when rsyslog is killed and started again', options, async (t) => {
  const started = await startWorld(t);
  if (!started) return;
  const { world, rsyslog, subscribe } = started;
  const subscriptions = [
    await subscribe(`tcp://127.0.0.1:${rsyslog.plainPort}`, 'ecs'),
    await subscribe(`tls://localhost:${rsyslog.securePort}`, 'ecs'),
  ];
  world.start();
  const names: string[] = [];
  const discover = async (wave: number) => {
    const found = Array.from({ length: 30 }, (_, number) => `acme${wave}-${number}.example`);
    names.push(...found);
    await world.discover(...found);
  };
  const receivedBy = (id: string) =>
    new Set(
      rsyslog
        .read()
        .filter((message) => dataOf(message)?.['subscription_id'] === id)
        .map((message) => message['$!'].ecs.threat.indicator.name as string),
    );
  for (let wave = 0; wave < 3; wave += 1) {
    await discover(3 * wave);
    await until(() => subscriptions.every(({ id }) => receivedBy(id).size === names.length));
    await rsyslog.kill();
    await discover(3 * wave + 1);
    const isFailing = async ({ id }: { id: string }) =>
      ((await world.findSubscription(id))?.failures ?? 0) > 0;
    for (const one of subscriptions) await until(() => isFailing(one));
    await rsyslog.restart();
    world.clock.advanceSeconds(3600);
    await until(() => subscriptions.every(({ id }) => receivedBy(id).size === names.length));
  }
  for (const { id } of subscriptions) assert.deepEqual([...receivedBy(id)].sort(), names.toSorted());
});
