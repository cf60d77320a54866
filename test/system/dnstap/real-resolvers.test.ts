/** The dnstap listener with real dnstap software, on loopback. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createReadStream, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { scanCapture } from '../../../src/collect/dnstap/capture-file.ts';
import { type DnstapListenerOptions, listenDnstap } from '../../../src/collect/dnstap/listener.ts';
import { readMessage } from '../../../src/model/dns/message.ts';
import { nameText } from '../../../src/model/dns/name.ts';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { RecordingIntake } from '../../harness/fixtures/recording-intake.ts';
import { type Daemon, startDaemon } from '../../harness/network/daemon.ts';
import { encodeMessage, wireName } from '../../harness/network/encode-dns-message.ts';
import { dataFrame, encodeDnstap, start, stop } from '../../harness/network/encode-dnstap.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

/** Generous, because it may include an installation. */
const options = { timeout: 900_000 };
const contentType = 'protobuf:dnstap.Dnstap';
const frames = [1, 2, 3].map((last) => {
  const records = [{ owner: 'www.example.com', type: 1, rdata: [Uint8Array.of(192, 0, 2, last)] }];
  return encodeDnstap({ zone: wireName('example.com'), message: encodeMessage({ records }) });
});
const capture = Buffer.concat([start, ...frames.map(dataFrame), stop]);

async function listening(t: TestContext, endpoints: DnstapListenerOptions) {
  const intake = new RecordingIntake();
  const listener = await listenDnstap(endpoints, {
    intake,
    clock: { now: Date.now },
    report: () => undefined,
  });
  t.after(() => listener.close());
  return { intake, listener };
}

function run(t: TestContext, command: string, args: readonly string[]): ChildProcess {
  const child = spawn(commandPath(command) ?? command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  return child;
}

async function exitCode(child: ChildProcess): Promise<unknown> {
  const [code] = (await once(child, 'close')) as unknown[];
  return code;
}

for (const transport of ['unix', 'tcp'] as const) {
  test(
    `fstrm_replay delivers a capture over ${transport} and gets FINISH when it is durable`,
    options,
    async (t) => {
      if (!needsPackage(t, 'fstrm-bin', 'fstrm_replay')) return;
      const directory = temporaryDirectory(t);
      const [file, unixPath] = [join(directory, 'capture'), join(directory, 'dnstap.sock')];
      writeFileSync(file, capture);
      const { intake, listener } = await listening(t, { unixPath, port: 0 });
      const to = transport === 'unix' ? ['-u', unixPath] : ['-a', '127.0.0.1', '-p', String(listener.port)];
      assert.equal(await exitCode(run(t, 'fstrm_replay', ['-t', contentType, '-r', file, ...to])), 0);
      assert.deepEqual(
        intake.added.map(({ rdata }) => rdata[0]?.at(-1)),
        [1, 2, 3],
      );
      assert.equal(intake.durable, 3);
      assert.equal(listener.statistics().refused, 0);
    },
  );
}

test('a file written by fstrm_capture is read frame by frame', options, async (t) => {
  if (!needsPackage(t, 'fstrm-bin', 'fstrm_capture')) return;
  const directory = temporaryDirectory(t);
  const [source, copy, socket] = ['source', 'copy', 'capture.sock'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(source, capture);
  const writer = run(t, 'fstrm_capture', ['-t', contentType, '-u', socket, '-w', copy]);
  while (!existsSync(socket)) await pause(20);
  assert.equal(await exitCode(run(t, 'fstrm_replay', ['-t', contentType, '-r', source, '-u', socket])), 0);
  writer.kill('SIGINT');
  await exitCode(writer);
  const read: unknown[] = [];
  for await (const item of scanCapture(createReadStream(copy))) {
    read.push(item.kind === 'data' ? Buffer.from(item.payload) : item);
  }
  assert.deepEqual(read, frames);
});

/** A name server for example.com that also answers with an out-of-bailiwick record. */
async function nameServer(t: TestContext): Promise<number> {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.on('message', (query, peer) => {
    const question = readMessage(query)?.question;
    if (!question) return;
    const name = nameText(question.name).slice(0, -1);
    const address = { type: 1, rdata: [Uint8Array.of(192, 0, 2, 80)] };
    const records = [
      { ...address, owner: name },
      { section: 'authority' as const, owner: 'example.com', type: 2, rdata: ['ns1.example.com'] },
      { ...address, section: 'additional' as const, owner: 'ns1.example.com' },
      { ...address, section: 'additional' as const, owner: 'www.example.net' },
    ];
    const isExpected = name === 'www.example.com' && question.type === 1;
    const answer = { id: query.readUInt16BE(0), question: { name, type: question.type } };
    socket.send(encodeMessage({ ...answer, records: isExpected ? records : [] }), peer.port, peer.address);
  });
  return bound(socket);
}

async function bound(socket: Socket): Promise<number> {
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

/** A resolver that queries our name server, and sends dnstap to us. */
async function unbound(t: TestContext, stubPort: number, dnstap: string): Promise<Daemon> {
  const file = join(temporaryDirectory(t), 'unbound.conf');
  const config = (port: number) => `
    server:
      interface: 127.0.0.1@${port}
      do-daemonize: no
      use-syslog: no
      logfile: ""
      verbosity: 1
      do-ip6: no
      username: ""
      chroot: ""
      directory: ""
      pidfile: ""
      module-config: "iterator"
      do-not-query-localhost: no
    stub-zone:
      name: "example.com"
      stub-addr: 127.0.0.1@${stubPort}
    remote-control:
      control-enable: no
    dnstap:
      dnstap-enable: yes
      dnstap-log-resolver-response-messages: yes
      ${dnstap}
  `;
  return startDaemon(t, {
    command: 'unbound',
    args: (port) => {
      writeFileSync(file, config(port));
      return ['-d', '-c', file];
    },
    started: 'start of service',
  });
}

async function ask(t: TestContext, port: number, name: string): Promise<void> {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  const answered = once(socket, 'message');
  socket.send(encodeMessage({ id: 7, flags: 0x0100, question: { name, type: 1 } }), port, '127.0.0.1');
  await answered;
}

for (const [mode, isBidirectional] of [
  ['a unix socket, in both directions', true],
  ['TCP, in one direction', false],
] as const) {
  test(
    `answers resolved by unbound arrive over ${mode}, without out-of-bailiwick records`,
    options,
    async (t) => {
      if (!needsPackage(t, 'unbound', 'unbound')) return;
      const unixPath = join(temporaryDirectory(t), 'dnstap.sock');
      const { intake, listener } = await listening(t, { unixPath, port: 0 });
      const sink = isBidirectional
        ? `dnstap-bidirectional: yes\ndnstap-socket-path: "${unixPath}"`
        : `dnstap-bidirectional: no\ndnstap-ip: "127.0.0.1@${listener.port}"\ndnstap-tls: no`;
      const { port, child } = await unbound(t, await nameServer(t), sink);
      await ask(t, port, 'www.example.com');
      await intake.until(({ added }) => added.length >= 3);
      child.kill('SIGTERM');
      await exitCode(child);
      const isRecent = (seconds: number) => Math.abs(seconds - Date.now() / 1000) < 300;
      assert.deepEqual(
        intake.added.map(({ owner, type, bailiwick, firstSeconds, lastSeconds, count }) => [
          nameText(owner),
          type,
          nameText(bailiwick),
          isRecent(firstSeconds) && firstSeconds === lastSeconds,
          count,
        ]),
        [
          ['www.example.com.', 1, 'example.com.', true, 1],
          ['example.com.', 2, 'example.com.', true, 1],
          ['ns1.example.com.', 1, 'example.com.', true, 1],
        ],
      );
      assert.equal(listener.statistics().refused, 0);
    },
  );
}
