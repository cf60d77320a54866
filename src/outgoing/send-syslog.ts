/**
 * Sends messages to a syslog receiver over TCP or TLS, through the SSRF guard. The protocol has no acknowledgements, so we end our side when
 * everything is sent and wait until the receiver ends its own: it does so when it has read everything. A receiver that was killed before has
 * unread bytes, and its system resets the connection.
 */
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Problem } from '../model/problem.ts';
import type { Dialer } from './guarded-dialer.ts';

export interface SyslogRequest {
  readonly host: string;
  readonly port: number;
  /** Undefined: plain TCP. */
  readonly tls: { readonly ca?: string | undefined } | undefined;
  /** Each with its length before it. */
  readonly messages: readonly Buffer[];
  /** For everything together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Throws a Problem where it is not certain that the receiver has read everything. */
export async function sendSyslog(dialer: Pick<Dialer, 'connect'>, request: SyslogRequest): Promise<void> {
  const { host, port, tls, messages, timeoutMs, signal } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const deadline = AbortSignal.any([timeout, signal]);
  const { socket } = await dialer.connect({ host, port, timeoutMs, signal });
  socket.on('error', () => undefined);
  try {
    const stream = tls ? await secured(socket, host, tls.ca, deadline) : socket;
    await transfer(stream, messages, deadline);
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (timeout.aborted)
      throw new Problem('timed-out', `the receiver did not end the connection within ${timeoutMs} ms`);
    throw new Problem('unavailable', messageOf(error), { cause: error });
  } finally {
    socket.destroy();
  }
}

async function secured(
  socket: Socket,
  host: string,
  ca: string | undefined,
  deadline: AbortSignal,
): Promise<Socket> {
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const stream = connectTls({
    socket,
    host,
    ...servername,
    ...(ca === undefined ? {} : { ca }),
    minVersion: 'TLSv1.2',
  });
  stream.on('error', () => undefined);
  await once(stream, 'secureConnect', { signal: deadline });
  return stream;
}

async function transfer(stream: Socket, messages: readonly Buffer[], deadline: AbortSignal): Promise<void> {
  const closed = once(stream, 'close', { signal: deadline });
  let failure: Error | undefined;
  let hasEnded = false;
  let wasSent = false;
  stream.on('error', (error) => {
    failure ??= error;
  });
  stream.on('end', () => {
    hasEnded = wasSent;
  });
  // Nothing that a receiver says matters, but it must be read for the end to be seen.
  stream.resume();
  stream.end(Buffer.concat(messages), () => {
    wasSent = true;
  });
  await closed;
  if (failure) throw failure;
  if (!hasEnded)
    throw new Problem('unavailable', 'the receiver ended the connection before it had everything');
}

function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'the connection failed';
}
