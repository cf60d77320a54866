/** One question over port 43, RFC 3912: a line goes there, a text comes back until the server closes. It may be cut, and it may take too long. */

import { Problem } from '../../../model/problem.ts';
import type { Connection, Dialer } from '../../../outgoing/guarded-dialer.ts';

export interface WhoisQuestion {
  readonly server: string;
  readonly port: number;
  /** Without its line end. */
  readonly line: string;
  readonly bytesMax: number;
  /** For connecting and for the answer, each. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Throws a Problem as the dialer does, or `timed-out` for a server that goes on for ever. */
export async function askWhois(dialer: Pick<Dialer, 'connect'>, question: WhoisQuestion): Promise<string> {
  const { server: host, port, timeoutMs, signal } = question;
  const connection = await dialer.connect({ host, port, timeoutMs, signal });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return decoded(await takeText(connection, question, AbortSignal.any([timeout, signal])));
  } catch (error) {
    if (timeout.aborted) throw new Problem('timed-out', `${host} did not finish within ${timeoutMs} ms`);
    throw new Problem('unavailable', `${host}: ${(error as Error).message}`, { cause: error });
  } finally {
    connection.socket.destroy();
  }
}

async function takeText(
  { socket }: Connection,
  { line, bytesMax }: WhoisQuestion,
  deadline: AbortSignal,
): Promise<Buffer> {
  const giveUp = () => socket.destroy(deadline.reason as Error);
  deadline.addEventListener('abort', giveUp, { once: true });
  try {
    deadline.throwIfAborted();
    socket.write(`${line}\r\n`);
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of socket as AsyncIterable<Buffer>) {
      pieces.push(piece.subarray(0, bytesMax - bytes));
      bytes += piece.length;
      if (bytes >= bytesMax) break;
    }
    return Buffer.concat(pieces);
  } finally {
    deadline.removeEventListener('abort', giveUp);
    // Closing can fail once more, and nobody waits for that.
    socket.on('error', () => undefined);
  }
}

/** The protocol names no charset. What is not UTF-8 is taken for Latin 1, in which everything is something. */
export function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A multi-byte character that the end cut in two makes no other charset of the rest.
    const text = bytes.toString('utf8');
    return text.slice(0, -1).includes('\uFFFD') ? bytes.toString('latin1') : text;
  }
}
