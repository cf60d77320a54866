/** One WHOIS query (RFC 3912): sends a line and reads the answer until the server closes, up to limits of bytes and time. */

import { Timeout } from '../../../concurrency/deadline.ts';
import { Problem } from '../../../model/problem.ts';
import type { Connection, Dialer } from '../../../outgoing/guarded-dialer.ts';
import { readUpTo } from '../../../outgoing/read-up-to.ts';

export interface WhoisQuery {
  readonly server: string;
  readonly port: number;
  /** Without line end. */
  readonly line: string;
  readonly bytesMax: number;
  /** For connecting and for the answer, each. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Throws a Problem as the dialer does, or `timed-out` for a server that does not finish. */
export async function queryWhois(dialer: Pick<Dialer, 'connect'>, query: WhoisQuery): Promise<string> {
  const { server: host, port, timeoutMs, signal } = query;
  const connection = await dialer.connect({ host, port, timeoutMs, signal });
  const timeout = new Timeout(timeoutMs, signal);
  try {
    return decodeAnswer(await readAnswer(connection, query, timeout.signal));
  } catch (error) {
    if (timeout.isOver) throw new Problem('timed-out', `${host} did not finish within ${timeoutMs} ms`);
    throw new Problem('unavailable', `${host}: ${(error as Error).message}`, { cause: error });
  } finally {
    timeout.clear();
    connection.socket.destroy();
  }
}

async function readAnswer(
  { socket }: Connection,
  { line, bytesMax }: WhoisQuery,
  deadline: AbortSignal,
): Promise<Buffer> {
  const abort = () => socket.destroy(deadline.reason as Error);
  deadline.addEventListener('abort', abort, { once: true });
  try {
    deadline.throwIfAborted();
    socket.write(`${line}\r\n`);
    return (await readUpTo(socket, bytesMax, bytesMax)).bytes;
  } finally {
    deadline.removeEventListener('abort', abort);
    // Closing may emit another error.
    socket.on('error', () => undefined);
  }
}

/** The protocol defines no charset: text that is not UTF-8 is decoded as Latin-1. */
export function decodeAnswer(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A multi-byte character truncated at the end does not make the text Latin-1.
    const text = bytes.toString('utf8');
    return text.slice(0, -1).includes('\uFFFD') ? bytes.toString('latin1') : text;
  }
}
