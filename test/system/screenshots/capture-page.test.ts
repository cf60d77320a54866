/** With a real Chromium, which takes a second or two per screenshot. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { globSync, readFileSync, readlinkSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { capturePage } from '../../../src/pipeline/screenshots/capture-page.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import {
  type BrowserProcess,
  browserFixture,
  browserProcesses,
  untilGone,
  zombieChildren,
} from '../../harness/network/browser-fixture.ts';

const never = new AbortController().signal;

function needsBrowser(t: TestContext): boolean {
  return needsPackage(t, 'chromium', 'chromium') && needsPackage(t, 'openssl', 'openssl');
}

async function pixelAt(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const pixel = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...pixel];
}

test('the whole page is captured by a sandboxed browser of another user, through the proxy alone', async (t) => {
  if (!needsBrowser(t)) return;
  const udp = createSocket('udp4').bind(0, '127.0.0.1');
  await once(udp, 'listening');
  t.after(() => udp.close());
  let packets = 0;
  udp.on('message', () => (packets += 1));
  let processes: readonly BrowserProcess[] = [];
  const browsed = await browserFixture(t, ({ url }) => ({
    'http://shop.example/': {
      body: `<body style="margin:0"><div style="height:1500px;background:#0f0"></div>
        <img src="${url}picture"><iframe src="${url}frame"></iframe><img src="http://169.254.169.254/latest">
        <script>
          fetch('${url}fetched').catch(() => undefined);
          new WebSocket('${url.replace('http', 'ws')}socket');
          try {
            const call = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp.address().port}' }] });
            call.createDataChannel('x');
            call.createOffer().then((offer) => call.setLocalDescription(offer));
          } catch {}
        </script><script src="/last.js"></script>`,
    },
    'http://shop.example/last.js': () => {
      processes = browserProcesses(browsed);
      return { body: 'document.body.style.background = "#00f"' };
    },
  }));
  const result = await capturePage('shop.example', browsed, never);
  assert.ok(result.outcome === 'captured', JSON.stringify(result));
  assert.deepEqual([result.url, result.ipAddress], ['http://shop.example', '127.80.0.1']);
  const { width, height, mimetype, bytes, pixelHash } = result.image;
  assert.deepEqual([width, mimetype, height > 1500 && height < 2500], [1280, 'image/png', true]);
  assert.deepEqual(await pixelAt(bytes, 5, 5), [0, 255, 0]);
  assert.deepEqual(await pixelAt(bytes, width - 5, height - 5), [0, 0, 255], 'scripts have run');
  assert.match(pixelHash, /^[0-9a-f]{64}$/);

  assert.deepEqual([browsed.forbidden.received, packets], [[], 0]);
  assert.deepEqual(
    new Set(browsed.resolved),
    new Set(['shop.example']),
    'the browser sends no requests of its own',
  );

  const main = processes.find(
    ({ command }) => command.includes('chromium') && !/ --type=|crashpad|network-namespace/.test(command),
  );
  assert.match(main?.command ?? '', / --proxy-server=http:\/\/127\.0\.0\.1:/);
  for (const { command, uid } of processes) {
    assert.doesNotMatch(command, / --(no-sandbox|disable-setuid-sandbox|remote-debugging-port)/);
    if (process.getuid?.() === 0) assert.notEqual(uid, 0);
  }
  const isIsolated = process.getuid?.() === 0 && browsed.browser.hasNetworkNamespace;
  assert.equal(main?.network !== readlinkSync('/proc/self/ns/net'), isIsolated, 'alone with the proxy');
  const renderers = processes.filter(({ command }) => command.includes(' --type=renderer'));
  assert.ok(renderers.length > 0);
  if (process.getuid?.() === 0)
    for (const { network } of renderers)
      assert.notEqual(network, main?.network, 'in its own network namespace');
  assert.deepEqual(await untilGone(browsed), []);
});

test('when http fails https is tried, whatever its certificate', async (t) => {
  if (!needsBrowser(t)) return;
  const browsed = await browserFixture(t, () => ({
    'http://failing.example/': {
      status: 302,
      headers: { location: 'http://169.254.169.254/latest/meta-data/' },
    },
    'https://failing.example/': { status: 500, body: '<body style="background:#f00">' },
  }));
  const result = await capturePage('failing.example', browsed, never);
  assert.ok(result.outcome === 'captured', JSON.stringify(result));
  assert.equal(result.url, 'https://failing.example');
  assert.deepEqual(await pixelAt(result.image.bytes, 5, 5), [255, 0, 0]);
  assert.deepEqual(await untilGone(browsed), []);
});

test('a download and a redirect to this machine give no screenshot', async (t) => {
  if (!needsBrowser(t)) return;
  const browsed = await browserFixture(t, ({ url }) => ({
    'http://trap.example/': {
      headers: { 'content-disposition': 'attachment; filename="x.exe"' },
      body: 'MZ',
    },
    'https://trap.example/': { body: `<script>location = '${url}'</script>` },
  }));
  const result = await capturePage('trap.example', browsed, never);
  assert.equal(result.outcome, 'failed');
  assert.deepEqual(browsed.requests.slice(0, 2), ['http://trap.example/', 'https://trap.example/']);
  assert.deepEqual(browsed.forbidden.received, []);
  assert.deepEqual(await untilGone(browsed), []);
});

test('a page with popups, dialogs, links to files and an endless title is captured as it is', async (t) => {
  if (!needsBrowser(t)) return;
  const browsed = await browserFixture(t, () => ({
    'http://nasty.example/': {
      body: `<body style="background:#ff0"><a id="file" href="file:///etc/passwd">x</a>
        <iframe src="file:///etc/passwd"></iframe><iframe src="chrome://version"></iframe><script>
          document.title = 'x'.repeat(10_000_000);
          for (let at = 0; at < 50; at += 1) window.open('/popup' + at);
          for (let at = 0; at < 20; at += 1) { alert(at); confirm(at); prompt(at); }
          try { location = 'file:///etc/passwd'; } catch {}
          try { location = 'chrome://settings'; } catch {}
          document.getElementById('file').click();
          navigator.serviceWorker?.register('/worker.js').catch(() => undefined);
          navigator.geolocation?.getCurrentPosition(() => undefined);
          Notification.requestPermission();
          navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => undefined);
          print();
          window.onbeforeunload = () => 'stay';
          for (let at = 0; at < 20; at += 1) console.log('y'.repeat(1_000_000));
          const canvas = document.createElement('canvas');
          canvas.width = canvas.height = 30_000;
          canvas.getContext('2d')?.fillRect(0, 0, 9, 9);
        </script><div style="height:1000000px">`,
    },
  }));
  const result = await capturePage('nasty.example', browsed, never);
  assert.ok(result.outcome === 'captured', JSON.stringify(result));
  assert.deepEqual(await pixelAt(result.image.bytes, 1000, 900), [255, 255, 0]);
  assert.equal(result.image.height, browsed.settings.screenshots.pageHeightMax);
  assert.ok(!browsed.requests.includes('http://nasty.example/worker.js'));
  assert.deepEqual(await untilGone(browsed), []);
});

test('a page that blocks forever is killed with the browser at the timeout', async (t) => {
  if (!needsBrowser(t)) return;
  const endless = { body: '<script>for (;;);</script>' };
  const browsed = await browserFixture(t, () => ({ 'http://endless.example/': endless }), {
    // A browser that shares its processors with two other tests takes some seconds to start.
    'screenshots.timeoutSeconds': '15',
  });
  assert.deepEqual(await capturePage('endless.example', browsed, never), {
    outcome: 'failed',
    reason: 'no screenshot within 15 s',
  });
  assert.ok(browsed.requests.includes('http://endless.example/'));
  assert.deepEqual(await untilGone(browsed), []);
});

test('an aborted run ends every process it started', async (t) => {
  if (!needsBrowser(t)) return;
  const aborting = new AbortController();
  const browsed = await browserFixture(t, () => ({
    'http://stopped.example/': () => {
      setImmediate(() => aborting.abort());
      return { body: '<script>for (;;);</script>' };
    },
  }));
  await assert.rejects(capturePage('stopped.example', browsed, aborting.signal), { name: 'AbortError' });
  assert.deepEqual(await untilGone(browsed), []);
  await assert.rejects(capturePage('stopped.example', browsed, aborting.signal), { name: 'AbortError' });
});

test('a run that is aborted while its browser starts leaves no zombie', async (t) => {
  if (!needsBrowser(t)) return;
  const browsed = await browserFixture(t, () => ({
    'http://slow.example/': { body: '<script>for (;;);</script>' },
  }));
  for (const afterMs of [0, 100, 300, 600, 1000, 2000]) {
    const aborted = capturePage('slow.example', browsed, AbortSignal.timeout(afterMs));
    await assert.rejects(aborted, { name: 'TimeoutError' });
    assert.deepEqual([await untilGone(browsed), zombieChildren()], [[], []], `after ${afterMs} ms`);
  }
});

test('a worker that is killed is a failed screenshot, and its browser ends with it', async (t) => {
  if (!needsBrowser(t)) return;
  const browsed = await browserFixture(t, () => ({
    'http://killed.example/': () => {
      const worker = childrenOf(process.pid).find((pid) => commandOf(pid).includes('browser-worker'));
      process.kill(worker ?? 0, 'SIGKILL');
      return { body: 'late' };
    },
  }));
  assert.deepEqual(await capturePage('killed.example', browsed, never), {
    outcome: 'failed',
    reason: 'the browser failed: its process ended',
  });
  assert.ok(browsed.requests.includes('http://killed.example/'));
  assert.deepEqual([await untilGone(browsed), zombieChildren()], [[], []]);
});

function childrenOf(pid: number): number[] {
  const lists = globSync(`/proc/${pid}/task/*/children`).map((path) => readFileSync(path, 'utf8'));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
