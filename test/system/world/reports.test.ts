/** Whom the world knows to be bad: who is reported, when, and where it can be read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorldClock } from '../../../world/clock.ts';
import { reportedList } from '../../../world/servers/reported-list.ts';
import { crewDomains } from '../../../world/story/crews.ts';
import { hourMs, minuteMs } from '../../../world/story/life.ts';
import { Story } from '../../../world/story/story.ts';
import type { WorldEvent } from '../../../world/world-domain.ts';
import { domainOf, nowMs, serveSmallWorld } from './small-world.ts';

const startMs = Date.parse('2026-03-01T00:00:00Z');

function startStory(eventsPerHour: number) {
  const clock = new WorldClock({ startMs, speed: 0, machineNow: () => 0 });
  const story = new Story({ seed: 7, domains: 600, startMs, eventsPerHour, hostile: true }, clock);
  const events: (WorldEvent & { readonly actor: string | undefined })[] = [];
  story.view.follow((event) => events.push({ ...event, actor: story.view.find(event.domain)?.actor }));
  return { clock, story, events };
}

test('the first of a cluster is reported within minutes of being armed', async () => {
  const { clock, story, events } = startStory(120);
  await clock.advance(10 * minuteMs);
  const { domain } = events.find(({ kind }) => kind === 'registered') as WorldEvent;
  const timeOf = (kind: WorldEvent['kind']) =>
    events.find((one) => one.kind === kind && one.domain === domain)?.atMs ?? 0;
  const waitedMs = timeOf('reported') - timeOf('armed');
  assert.ok(timeOf('armed') > 0 && waitedMs >= 20_000 && waitedMs <= 90_000, `${waitedMs}`);
  assert.equal(story.view.find(domain)?.reportedMs, timeOf('reported'));
});

test('some of the others are reported hours later, and only domains of crews are', async () => {
  const { clock, story, events } = startStory(600);
  assert.ok([...story.view.domains()].some(({ reportedMs = startMs }) => reportedMs < startMs));
  await clock.advance(24 * hourMs);
  const of = (kind: WorldEvent['kind']) => events.filter((event) => event.kind === kind);
  assert.ok(of('reported').every(({ actor }) => actor === 'crew'));
  const armedMs = new Map(of('armed').map(({ domain, atMs }) => [domain, atMs]));
  const waited = of('reported').map(({ domain, atMs }) => atMs - (armedMs.get(domain) ?? 0));
  const late = waited.filter((ms) => ms > 40 * minuteMs).length;
  assert.ok(late > 20 && waited.length - late > 20, `${late} of ${waited.length}`);
  assert.ok(waited.length < 0.6 * armedMs.size, 'most are never reported');
});

test('errands: a crew of the story registers a lookalike, and it is reported once', () => {
  const { story, events } = startStory(0);
  const { name } = story.errands.registerLookalike('brightwater', crewDomains[2]);
  assert.deepEqual(story.view.find(name)?.nameServers, [`ns1.${crewDomains[2]}`, `ns2.${crewDomains[2]}`]);
  story.errands.report(name);
  story.errands.report(name);
  assert.equal(story.view.find(name)?.reportedMs, startMs);
  assert.equal(events.filter(({ kind }) => kind === 'reported').length, 1);
  assert.throws(() => story.errands.registerLookalike('brightwater', 'nobody.brax'), /no crew/);
});

test('what was reported is read at the place that the settings name, the earliest first', async (t) => {
  const { server, world, dialer, get } = await serveSmallWorld(t);
  const [setting] = JSON.parse(server.settings['risk.lists'] ?? '') as { readonly location: string }[];
  assert.equal(setting?.location, reportedList.location);
  const none = await get(reportedList.location);
  assert.match(String(none.body), /^(?:#[^\n]*\n)+$/);
  world.put(domainOf('second.zon', { actor: 'crew', reportedMs: nowMs }), 'reported');
  world.put(domainOf('first.zon', { actor: 'crew', reportedMs: nowMs - 1 }), 'reported');
  const some = await get(reportedList.location);
  assert.equal(some.status, 200);
  assert.deepEqual(String(some.body).split('\n').slice(-3), ['first.zon', 'second.zon', '']);
  const { status } = await dialer.send({
    method: 'GET',
    url: reportedList.location,
    headers: { 'if-none-match': String(some.headers['etag']) },
    timeoutMs: 20_000,
    responseBytesMax: 1000,
  });
  assert.equal(status, 304);
  assert.equal((await get(reportedList.location.replace('reported', 'other'))).status, 404);
  assert.equal(server.requests()['reports'], 4);
});
