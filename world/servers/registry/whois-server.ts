/** The protocol of WHOIS (RFC 3912): a line, an answer, the end. Which server speaks follows from the address that was connected to. */
import type { Socket } from 'node:net';
import { type OpenListeners, openListeners } from '../web/open-listeners.ts';
import type { RequestLimit } from './rate-limit.ts';
import type { WhoisPlaces } from './registries.ts';
import { tooMany, type WhoisAnswer, type WhoisAnswers } from './whois-answers.ts';

export interface WhoisServerNeeds {
  readonly places: WhoisPlaces;
  readonly answers: WhoisAnswers;
  readonly requestLimit: RequestLimit;
  readonly count: () => void;
}

const queryBytesMax = 255;
const silenceMaxMs = 30_000;
const endlessPiece = Buffer.from(
  'Remarks: there is always something more to say about this domain\r\n'.repeat(1000),
);

export async function startWhoisServer(needs: WhoisServerNeeds): Promise<OpenListeners<'whois'>> {
  const accept = (host: string) => (socket: Socket) => {
    socket.setTimeout(silenceMaxMs, () => socket.destroy());
    converse(host, socket, needs).catch(() => socket.destroy());
  };
  const places = Object.entries(needs.places.addresses);
  return openListeners(places.map(([host, address]) => ({ address, accept: { whois: accept(host) } })));
}

async function converse(host: string, socket: Socket, needs: WhoisServerNeeds): Promise<void> {
  const query = await takeQuery(socket);
  if (query === undefined) {
    socket.destroy();
    return;
  }
  needs.count();
  const pause = needs.requestLimit.findWaitSeconds(host, socket.remoteAddress ?? '');
  give(socket, pause === undefined ? needs.answers(host, query) : tooMany);
}

/** Undefined: it was no query. */
async function takeQuery(socket: Socket): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // The socket outlives its reader: the answer is still to be written.
  for await (const piece of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.push(piece.subarray(0, queryBytesMax + 1));
    bytes += piece.length;
    if (piece.includes(0x0a) || bytes > queryBytesMax) break;
  }
  socket.resume();
  const [line = ''] = Buffer.concat(pieces).toString('utf8').split(/\r?\n/);
  return bytes === 0 || Buffer.byteLength(line) > queryBytesMax ? undefined : line;
}

function give(socket: Socket, { text, encoding, isEndless }: WhoisAnswer): void {
  if (!isEndless) {
    socket.end(text, encoding);
    return;
  }
  // No more is made than the other side takes, however long it goes on taking.
  const more = () =>
    void socket.write(endlessPiece, (error) => {
      if (!error) more();
    });
  socket.write(text, encoding);
  more();
}
