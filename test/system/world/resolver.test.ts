import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { listenDnstap } from '../../../src/collect/dnstap/listener.ts';
import { parseName } from '../../../src/model/dns/name.ts';
import { rdataText } from '../../../src/model/dns/rdata-text.ts';
import { typeOf } from '../../../src/model/dns/rr-type.ts';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import type { Intake, RrsetStore } from '../../../src/store/rrset-store.ts';
import { WorldClock } from '../../../world/clock.ts';
import { WorldNames } from '../../../world/servers/dns/world-names.ts';
import { FrameStreamWriter } from '../../../world/servers/resolver/frame-stream-writer.ts';
import { startResolver } from '../../../world/servers/resolver/start-resolver.ts';
import { minuteMs } from '../../../world/story/life.ts';
import { Story } from '../../../world/story/story.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const startMs = Date.parse('2026-03-01T00:00:00Z');

async function resolving(t: TestContext, socketPath: string) {
  const clock = new WorldClock({ startMs, speed: 0, machineNow: () => 0 });
  const story = new Story({ seed: 5, domains: 300, startMs, eventsPerHour: 0, hostile: true }, clock);
  const { view, hosts, popular } = story;
  const names = new WorldNames({ view, hosts, findHostileAnswer: (name) => story.findHostileAnswer(name) });
  const resolver = await startResolver({ view, clock, names, popular, seed: 5, socketPath });
  t.after(() => resolver.close());
  return { clock, story, resolver };
}

/** Nameglass's own receiver on a real store; `observed` resolves when it has taken so many frames. */
async function receiving(t: TestContext, unixPath: string, clock: WorldClock) {
  const store = openRrsetStore(temporaryDirectory(t), clock);
  const intake: Intake = await store.openIntake();
  const faults: string[] = [];
  const listener = await listenDnstap(
    { unixPath, flushSeconds: 3600 },
    {
      intake,
      clock,
      report: (event) => {
        if (event.event === 'refused' || event.event === 'failed') faults.push(event.event);
      },
    },
  );
  t.after(async () => {
    await listener.close();
    await store.close();
  });
  const taken = async (frames: number) => {
    while (listener.statistics().frames < frames) await yieldToEventLoop();
    await intake.flush();
    return listener.statistics();
  };
  return { store, taken, faults };
}

async function recordsIn(
  store: RrsetStore,
  name: string,
  type: 'A' | 'NS',
  nowMs: number,
): Promise<string[]> {
  const owner = parseName(name) as Uint8Array;
  const found: string[] = [];
  const scan = store.scan({
    selection: { by: 'owner', name: owner, span: 'none' },
    filter: { types: { only: new Set([typeOf(type)]) }, fences: {} },
    merged: true,
    nowSeconds: nowMs / 1000,
  });
  for await (const slice of scan) {
    for (const { rdata, type: number } of slice) found.push(...rdata.map((each) => rdataText(number, each)));
  }
  return found;
}

test('what users of the resolver visit reaches passive DNS, and a move is seen soon', async (t) => {
  const socketPath = join(temporaryDirectory(t), 'dnstap.sock');
  const { clock, story, resolver } = await resolving(t, socketPath);
  const { store, taken, faults } = await receiving(t, socketPath, clock);
  const domain = story.errands.registerLookalike('cloudpantry');
  await clock.advance(minuteMs);
  const moved = story.errands.moveHosting(domain.name);
  await clock.advance(minuteMs);
  const statistics = await taken(resolver.requests()['dnstap'] ?? 0);
  assert.deepEqual([statistics.malformed, faults], [0, []]);
  assert.ok(statistics.observations > 50);
  const seen = await recordsIn(store, domain.name, 'A', clock.now());
  assert.deepEqual(seen.sort(), [...domain.addresses, ...moved.addresses].sort());
  const servers = await recordsIn(store, domain.name, 'NS', clock.now());
  assert.deepEqual(servers.sort(), domain.nameServers.map((host) => `${host}.`).sort());
});

test('frames are queued until there is a listener, and the stream ends with STOP and FINISH', async (t) => {
  const socketPath = join(temporaryDirectory(t), 'dnstap.sock');
  const { clock, resolver } = await resolving(t, socketPath);
  await clock.advance(2 * minuteMs);
  const reported = resolver.requests()['dnstap'] ?? 0;
  assert.ok(reported > 30);
  const { taken, faults } = await receiving(t, socketPath, clock);
  assert.equal((await taken(reported)).frames, reported);
  await resolver.close();
  assert.deepEqual(faults, []);
});

test('the writer comes back when the connection is lost, and closes without a listener', async (t) => {
  const path = join(temporaryDirectory(t), 'dnstap.sock');
  const server = createServer();
  server.listen(path);
  await once(server, 'listening');
  t.after(() => server.close());
  const writer = new FrameStreamWriter(path);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [hello] = (await once(socket, 'data')) as [Buffer];
    assert.ok(hello.includes('protobuf:dnstap.Dnstap'));
    socket.destroy();
  }
  writer.write(Buffer.from('kept'));
  assert.equal(writer.waiting, 1);
  await writer.close();
});

test('a peer that says what no peer says is left', async (t) => {
  const path = join(temporaryDirectory(t), 'dnstap.sock');
  const server = createServer();
  server.listen(path);
  await once(server, 'listening');
  t.after(() => server.close());
  const writer = new FrameStreamWriter(path);
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.write(Buffer.alloc(64, 255));
  socket.resume();
  await once(socket, 'close');
  await writer.close();
});
