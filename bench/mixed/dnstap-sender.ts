/**
 * A resolver that sends dnstap at a steady rate, in a process of its own. Each second is a connection of its own, whose FINISH confirms that
 * everything in it is durable; one that breaks before that is sent again, as often as needed. Where too many wait for that, later ones wait
 * here. Arguments: the path of the socket, messages a second. Prints JSON: every second, how many seconds are not confirmed yet. A line on
 * standard input ends it; it then prints the numbers of those that were confirmed, and how many were not at the worst time.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeMessage, wireName } from '../../test/harness/network/encode-dns-message.ts';
import * as dnstap from '../../test/harness/network/encode-dnstap.ts';
import { dnstapZone } from './load-zones.ts';

const [path = '', rate = '5000'] = process.argv.slice(2);
const perSecond = Number(rate);
const framesPerWrite = 250;
/** Half of what the server admits. */
const connectionsMax = 32;
const zone = wireName(dnstapZone);

function framesOf(second: number, from: number, count: number): Buffer {
  const frames = Array.from({ length: count }, (_, at) => {
    const owner = `m${from + at}.s${second}.${dnstapZone}`;
    const rdata = [Uint8Array.of(198, 51, (from + at) >> 8, (from + at) & 255)];
    const message = encodeMessage({
      question: { name: owner, type: 1 },
      records: [{ owner, type: 1, rdata }],
    });
    return dnstap.dataFrame(dnstap.encodeDnstap({ zone, message, seconds: Math.floor(Date.now() / 1000) }));
  });
  return Buffer.concat(frames);
}

/** Whether it was confirmed. */
async function sendSecond(second: number, isInTime: boolean): Promise<boolean> {
  const socket = connect(path);
  const answers = new Answers(socket);
  try {
    socket.write(dnstap.ready);
    await answers.next(dnstap.accept.length);
    socket.write(dnstap.start);
    for (let from = 0; from < perSecond; from += framesPerWrite) {
      const count = Math.min(framesPerWrite, perSecond - from);
      const room = socket.write(framesOf(second, from, count));
      if (!room) await answers.drained();
      if (isInTime) await pause((1000 * count) / perSecond);
    }
    socket.write(dnstap.stop);
    await answers.next(dnstap.finish.length);
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** What comes back, and the end of the connection as an error of what waits. */
class Answers {
  readonly #socket: Socket;
  readonly #ended: Promise<never>;
  #received = 0;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => {
      this.#received += bytes.length;
      this.#wake();
    });
    socket.on('error', () => undefined);
    this.#ended = new Promise((_resolve, reject) => {
      socket.once('close', () => reject(new Error('the connection ended')));
    });
    this.#ended.catch(() => undefined);
  }

  async next(bytes: number): Promise<void> {
    const wanted = bytes;
    while (this.#received < wanted)
      await Promise.race([new Promise<void>((resolve) => (this.#wake = resolve)), this.#ended]);
    this.#received -= wanted;
  }

  async drained(): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => this.#socket.once('drain', resolve)), this.#ended]);
  }
}

const confirmed: number[] = [];
const over = new AbortController();
let broken = 0;

/** Sent again until it is confirmed: a sender that keeps what was not confirmed loses nothing. */
async function confirmSecond(second: number): Promise<void> {
  for (let attempt = 0; !(await sendSecond(second, attempt === 0)); attempt += 1) {
    broken += 1;
    await pause(300);
  }
  confirmed.push(second);
}

process.stdin.once('data', () => over.abort());
const waiting: number[] = [];
const active = new Set<Promise<void>>();
let mostBehind = 0;

function beginNext(): void {
  const second = active.size < connectionsMax ? waiting.shift() : undefined;
  if (second === undefined) return;
  const sending = confirmSecond(second).then(() => {
    active.delete(sending);
    beginNext();
  });
  active.add(sending);
}

for (let second = 0; !over.signal.aborted; second += 1) {
  waiting.push(second);
  beginNext();
  const behind = waiting.length + active.size;
  mostBehind = Math.max(mostBehind, behind);
  process.stdout.write(`${JSON.stringify({ behind })}\n`);
  await pause(1000);
}
while (active.size > 0) await Promise.race(active);
process.stdout.write(`${JSON.stringify({ confirmed, broken, mostBehind })}\n`, () => process.exit(0));
