/** What every store of requests and passive domains must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OutgoingRequest, requestsPerDomainMax } from '../../../src/model/opsec/outgoing-request.ts';
import { describeDetectStore, type NewFixture, type OpenDetectStores } from './describe-detect-store.ts';

let names = 0;
/** Requests are of all accounts: each test has its own domain. */
const newName = () => `asked${++names}.example`;

const requestOf = (domain: string, members: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  domain,
  collector: 'web',
  protocol: 'https',
  host: `www.${domain}`,
  address: '192.0.2.1',
  port: 443,
  source: '198.51.100.7',
  atMs: 1000,
  outcome: '200',
  ...members,
});

export function opsecStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a store of requests`, open, (newFixture) => {
    bound(newFixture);
    requests(newFixture);
    passiveDomains(newFixture);
    passiveMonitors(newFixture);
  });
}

function requests(newFixture: NewFixture): void {
  test('requests are listed newest first, those of one millisecond in the order of their making', async () => {
    const { opsec } = newFixture();
    const [domain, other] = [newName(), newName()];
    const failed = requestOf(domain, { address: undefined, source: undefined, outcome: 'refused' });
    await opsec.addRequests([requestOf(domain), failed, requestOf(other)]);
    const later = requestOf(domain, { atMs: 2000, protocol: 'dns', port: 53 });
    await opsec.addRequests([later]);
    await opsec.addRequests([requestOf(domain, { outcome: 'third' })]);
    assert.deepEqual(await opsec.listRequests(domain, 9), [
      later,
      requestOf(domain, { outcome: 'third' }),
      failed,
      requestOf(domain),
    ]);
    assert.equal((await opsec.listRequests(domain, 2)).length, 2);
  });

  test('of each domain the newest requests are kept', async () => {
    const { opsec } = newFixture();
    const [domain, other] = [newName(), newName()];
    await opsec.addRequests([requestOf(other)]);
    const many = Array.from({ length: requestsPerDomainMax + 5 }, (_, index) =>
      requestOf(domain, { atMs: 1000 + Math.floor(index / 2), outcome: String(index) }),
    );
    await opsec.addRequests(many);
    const kept = await opsec.listRequests(domain, 1000);
    assert.deepEqual(kept, many.slice(5).toReversed());
    assert.equal((await opsec.listRequests(other, 1000)).length, 1);
  });
}

/** Alone in its store: the bound is that of all domains. */
function bound(newFixture: NewFixture): void {
  test('beyond the bound of all domains the oldest requests are removed', async () => {
    const { opsec } = newFixture();
    await opsec.trimRequests(0);
    const [old, young] = [newName(), newName()];
    await opsec.addRequests([1, 2, 3].map((atMs) => requestOf(old, { atMs })));
    await opsec.addRequests([4, 5].map((atMs) => requestOf(young, { atMs })));
    assert.equal(await opsec.trimRequests(5), 0);
    assert.equal(await opsec.trimRequests(3), 2);
    assert.deepEqual(
      (await opsec.listRequests(old, 9)).map(({ atMs }) => atMs),
      [3],
    );
    assert.equal((await opsec.listRequests(young, 9)).length, 2);
  });
}

function passiveDomains(newFixture: NewFixture): void {
  test('a domain is passive while any account has set it', async () => {
    const [{ opsec, accountId }, { accountId: other }] = [newFixture(), newFixture()];
    const domain = newName();
    const passive = { domain, by: 'ann', atMs: 5 };
    assert.equal(await opsec.isPassive(domain), false);
    assert.equal(await opsec.setPassive(accountId, passive, 10), true);
    assert.equal(await opsec.setPassive(accountId, { ...passive, by: 'bob' }, 10), true);
    assert.deepEqual(await opsec.listPassive(accountId, 10), [passive]);
    assert.deepEqual(await opsec.listPassive(other, 10), []);
    assert.deepEqual(await opsec.findPassive(accountId, domain), passive);
    assert.equal(await opsec.findPassive(other, domain), undefined);
    await opsec.setPassive(other, passive, 10);
    assert.equal(await opsec.unsetPassive(accountId, domain), true);
    assert.equal(await opsec.unsetPassive(accountId, domain), false);
    assert.equal(await opsec.isPassive(domain), true);
    await opsec.unsetPassive(other, domain);
    assert.equal(await opsec.isPassive(domain), false);
  });

  test('an account has no more passive domains than it may', async () => {
    const { opsec, accountId } = newFixture();
    const [first, second] = [newName(), newName()];
    assert.equal(await opsec.setPassive(accountId, { domain: first, by: 'ann', atMs: 5 }, 1), true);
    assert.equal(await opsec.setPassive(accountId, { domain: second, by: 'ann', atMs: 5 }, 1), false);
    assert.equal(await opsec.setPassive(accountId, { domain: first, by: 'ann', atMs: 5 }, 1), true);
    assert.equal(await opsec.isPassive(second), false);
  });
}

function passiveMonitors(newFixture: NewFixture): void {
  test('a domain that a passive-only monitor has found is passive while the monitor is active and so set', async () => {
    const fixture = newFixture();
    const { opsec, monitors, accountId } = fixture;
    const monitor = await fixture.monitor({ passiveOnly: true });
    assert.equal(monitor.passiveOnly, true);
    const domain = newName();
    await fixture.discover(domain, [monitor]);
    assert.equal(await opsec.isPassive(domain), true);
    await monitors.updateMonitor(accountId, monitor.id, { state: 'inactive' }, 2000);
    assert.equal(await opsec.isPassive(domain), false);
    await monitors.updateMonitor(accountId, monitor.id, { state: 'active' }, 3000);
    assert.equal(await opsec.isPassive(domain), true);
    const after = await monitors.updateMonitor(accountId, monitor.id, { passiveOnly: false }, 4000);
    assert.equal(after?.passiveOnly ?? false, false);
    assert.equal(await opsec.isPassive(domain), false);
  });
}
