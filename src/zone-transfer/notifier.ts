/**
 * Notifies secondaries of new versions (RFC 1996), and repeats it with growing pauses until they answer. A newer version of the same zone
 * replaces the one that was to be notified.
 */
import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Account } from '../model/account/account.ts';
import type { Clock } from '../model/clock.ts';
import { MessageWriter } from '../model/dns/message-writer.ts';
import { parseName } from '../model/dns/name.ts';
import { readTsig, TsigSigner, tsigError, verifyTsig } from '../model/dns/tsig.ts';
import type { Settings } from '../model/settings/settings.ts';
import { parseEndpoint } from './parse-endpoint.ts';
import type { TsigKeys, ZoneKey } from './tsig-keys.ts';
import { soaRecord } from './zone-records.ts';

export interface ChangedZone {
  readonly name: string;
  readonly account: Pick<Account, 'name'>;
  readonly serial: number;
}

export interface NotifierNeeds {
  readonly keys: TsigKeys;
  readonly settings: Pick<Settings, 'rpz' | 'detect'>;
  readonly clock: Clock;
  readonly onOutcome: (outcome: 'answered' | 'unanswered', address: string, zone: string) => void;
}

interface Target {
  readonly address: string;
  readonly port: number;
  readonly key: ZoneKey | undefined;
}

interface Notification {
  readonly target: Target;
  readonly zone: ChangedZone;
  id: number;
  /** Of the latest message; undefined if it is not signed. */
  mac: Uint8Array | undefined;
  attempts: number;
  timer: NodeJS.Timeout | undefined;
}

const notifyOpcode = 4;
const soaType = 6;
const dnsPort = 53;
const [firstPauseMs, attemptsMax] = [1000, 6];

export class Notifier {
  readonly #needs: NotifierNeeds;
  readonly #targets: readonly Target[];
  readonly #sockets = new Map<'udp4' | 'udp6', Socket>();
  readonly #open = new Map<string, Notification>();

  constructor(needs: NotifierNeeds) {
    this.#needs = needs;
    this.#targets = needs.settings.rpz.notify.map(({ address: text, key }) => {
      const { host: address, port } = parseEndpoint('rpz.notify', text, dnsPort);
      return { address, port, key: key === undefined ? undefined : needs.keys.get(key) };
    });
  }

  notify(zone: ChangedZone): void {
    for (const [index, target] of this.#targets.entries()) {
      if (target.key && !target.key.mayRead(zone.account)) continue;
      const name = `${index} ${zone.name}`;
      clearTimeout(this.#open.get(name)?.timer);
      const notification = { target, zone, id: 0, mac: undefined, attempts: 0, timer: undefined };
      this.#open.set(name, notification);
      this.#send(name, notification);
    }
  }

  close(): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer);
    this.#open.clear();
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  #send(name: string, notification: Notification): void {
    const { target, zone, attempts } = notification;
    if (attempts === attemptsMax) {
      this.#open.delete(name);
      this.#needs.onOutcome('unanswered', target.address, zone.name);
      return;
    }
    notification.id = randomInt(65_536);
    notification.attempts += 1;
    const message = this.#message(notification);
    this.#socketFor(target.address).send(message, target.port, target.address, () => undefined);
    const pauseMs = firstPauseMs * 2 ** attempts;
    notification.timer = setTimeout(() => this.#send(name, notification), pauseMs).unref();
  }

  #message(notification: Notification): Buffer {
    const { id, target, zone } = notification;
    const name = parseName(zone.name) ?? new Uint8Array(1);
    const message = new MessageWriter({
      id,
      opcode: notifyOpcode,
      isResponse: false,
      isAuthoritative: true,
      question: Buffer.concat([name, Buffer.of(0, soaType, 0, 1)]),
    });
    const ttlSeconds = this.#needs.settings.detect.blocklistTtlSeconds;
    message.addAnswer(soaRecord({ serial: zone.serial, ttlSeconds }));
    if (!target.key) return message.finish();
    const signer = new TsigSigner(target.key);
    const signed = signer.sign(message.finish(), this.#nowSeconds());
    notification.mac = signer.mac;
    return signed;
  }

  #nowSeconds(): number {
    return Math.floor(this.#needs.clock.now() / 1000);
  }

  #socketFor(address: string): Socket {
    const family = isIPv6(address) ? 'udp6' : 'udp4';
    const known = this.#sockets.get(family);
    if (known) return known;
    const socket = createSocket(family);
    socket.on('message', (bytes, from) => this.#receive(bytes, from));
    socket.on('error', () => this.#sockets.delete(family));
    socket.unref();
    this.#sockets.set(family, socket);
    return socket;
  }

  #receive(bytes: Buffer, from: { readonly address: string; readonly port: number }): void {
    if (bytes.length < 12) return;
    const [id, flags] = [bytes.readUInt16BE(0), bytes.readUInt16BE(2)];
    if (flags >>> 15 !== 1 || ((flags >>> 11) & 15) !== notifyOpcode) return;
    for (const [name, notification] of this.#open) {
      const { target, zone } = notification;
      if (notification.id !== id || target.address !== from.address || target.port !== from.port) continue;
      if (!this.#isGenuine(bytes, notification)) continue;
      clearTimeout(notification.timer);
      this.#open.delete(name);
      this.#needs.onOutcome('answered', target.address, zone.name);
    }
  }

  #isGenuine(bytes: Buffer, { target: { key }, mac }: Notification): boolean {
    if (!key || !mac) return true;
    const tsig = readTsig(bytes);
    if (!tsig || tsig === 'none') return false;
    return (
      verifyTsig(bytes, tsig, key, { nowSeconds: this.#nowSeconds(), requestMac: mac }) === tsigError.none
    );
  }
}
