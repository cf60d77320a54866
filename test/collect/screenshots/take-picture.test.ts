/** With a real Chromium, which takes a second or two for each picture. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { takePicture } from '../../../src/collect/screenshots/take-picture.ts';
import { type BrowserProcess, browserProcesses, browsing, untilGone } from '../../harness/browsing.ts';
import { needsPackage } from '../../harness/debian-package.ts';

const never = new AbortController().signal;

function needsBrowser(t: TestContext): boolean {
  return needsPackage(t, 'chromium', 'chromium') && needsPackage(t, 'openssl', 'openssl');
}

async function pixelAt(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const pixel = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...pixel];
}

test('a page is taken whole, by a browser of another user in its sandbox, through the proxy alone', async (t) => {
  if (!needsBrowser(t)) return;
  const udp = createSocket('udp4').bind(0, '127.0.0.1');
  await once(udp, 'listening');
  t.after(() => udp.close());
  let packets = 0;
  udp.on('message', () => (packets += 1));
  let processes: readonly BrowserProcess[] = [];
  const browsed = await browsing(t, ({ url }) => ({
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
  const picture = await takePicture('shop.example', browsed, never);
  assert.ok(picture.outcome === 'taken', JSON.stringify(picture));
  assert.deepEqual([picture.url, picture.ipAddress], ['http://shop.example', '127.80.0.1']);
  const { width, height, mimetype, bytes, pixelHash } = picture.image;
  assert.deepEqual([width, mimetype, height > 1500 && height < 2500], [1280, 'image/png', true]);
  assert.deepEqual(await pixelAt(bytes, 5, 5), [0, 255, 0]);
  assert.deepEqual(await pixelAt(bytes, width - 5, height - 5), [0, 0, 255], 'scripts have run');
  assert.match(pixelHash, /^[0-9a-f]{64}$/);

  assert.deepEqual([browsed.forbidden.received, packets], [[], 0]);
  assert.deepEqual(
    new Set(browsed.resolved),
    new Set(['shop.example']),
    'the browser asks for nothing by itself',
  );

  const main = processes.find(
    ({ command }) => command.includes('chromium') && !/ --type=|crashpad|lone-network/.test(command),
  );
  assert.match(main?.command ?? '', / --proxy-server=http:\/\/127\.0\.0\.1:/);
  for (const { command, uid } of processes) {
    assert.doesNotMatch(command, / --(no-sandbox|disable-setuid-sandbox|remote-debugging-port)/);
    if (process.getuid?.() === 0) assert.notEqual(uid, 0);
  }
  const ownNetwork = process.getuid?.() === 0 && browsed.browser.ownNetwork;
  assert.equal(main?.network !== readlinkSync('/proc/self/ns/net'), ownNetwork, 'with nobody but the proxy');
  const renderers = processes.filter(({ command }) => command.includes(' --type=renderer'));
  assert.ok(renderers.length > 0);
  if (process.getuid?.() === 0)
    for (const { network } of renderers) assert.notEqual(network, main?.network, 'in a network of its own');
  assert.deepEqual(await untilGone(browsed), []);
});

test('where http leads to nobody https is tried, whatever its certificate says', async (t) => {
  if (!needsBrowser(t)) return;
  const browsed = await browsing(t, () => ({
    'http://turning.example/': {
      status: 302,
      headers: { location: 'http://169.254.169.254/latest/meta-data/' },
    },
    'https://turning.example/': { status: 500, body: '<body style="background:#f00">' },
  }));
  const picture = await takePicture('turning.example', browsed, never);
  assert.ok(picture.outcome === 'taken', JSON.stringify(picture));
  assert.equal(picture.url, 'https://turning.example');
  assert.deepEqual(await pixelAt(picture.image.bytes, 5, 5), [255, 0, 0]);
  assert.deepEqual(await untilGone(browsed), []);
});

test('a download and a way to this machine give no picture', async (t) => {
  if (!needsBrowser(t)) return;
  const browsed = await browsing(t, ({ url }) => ({
    'http://trap.example/': {
      headers: { 'content-disposition': 'attachment; filename="x.exe"' },
      body: 'MZ',
    },
    'https://trap.example/': { body: `<script>location = '${url}'</script>` },
  }));
  const picture = await takePicture('trap.example', browsed, never);
  assert.equal(picture.outcome, 'failed');
  assert.deepEqual(browsed.asked.slice(0, 2), ['http://trap.example/', 'https://trap.example/']);
  assert.deepEqual(browsed.forbidden.received, []);
  assert.deepEqual(await untilGone(browsed), []);
});

test('a page that opens windows, asks, alerts, leads to files and has an endless title is taken as it is', async (t) => {
  if (!needsBrowser(t)) return;
  const browsed = await browsing(t, () => ({
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
  const picture = await takePicture('nasty.example', browsed, never);
  assert.ok(picture.outcome === 'taken', JSON.stringify(picture));
  assert.deepEqual(await pixelAt(picture.image.bytes, 1000, 900), [255, 255, 0]);
  assert.equal(picture.image.height, browsed.settings.screenshots.pageHeightMax);
  assert.ok(!browsed.asked.includes('http://nasty.example/worker.js'));
  assert.deepEqual(await untilGone(browsed), []);
});

test('a page that never lets go is killed with the browser when its time is over', async (t) => {
  if (!needsBrowser(t)) return;
  const endless = { body: '<script>for (;;);</script>' };
  const browsed = await browsing(t, () => ({ 'http://endless.example/': endless }), {
    'screenshots.timeoutSeconds': '6',
  });
  const picture = await takePicture('endless.example', browsed, never);
  assert.equal(picture.outcome, 'failed');
  assert.deepEqual(await untilGone(browsed), []);
});

test('a run that is given up ends everything that it began', async (t) => {
  if (!needsBrowser(t)) return;
  const giveUp = new AbortController();
  const browsed = await browsing(t, () => ({
    'http://stopped.example/': () => {
      setImmediate(() => giveUp.abort());
      return { body: '<script>for (;;);</script>' };
    },
  }));
  await assert.rejects(takePicture('stopped.example', browsed, giveUp.signal), { name: 'AbortError' });
  assert.deepEqual(await untilGone(browsed), []);
  await assert.rejects(takePicture('stopped.example', browsed, giveUp.signal), { name: 'AbortError' });
});
