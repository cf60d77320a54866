/** Sends a request on its way, and takes of the answer no more than is wanted, however much the other side has to say. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { OutgoingAnswer, OutgoingRequest } from './guarded-dialer.ts';

export async function takeAnswer(
  sent: ClientRequest,
  body: string | undefined,
  bytesMax: number,
  keepPiece?: OutgoingRequest['keepPiece'],
): Promise<Pick<OutgoingAnswer, 'status' | 'headers' | 'body' | 'cut'>> {
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      // Stays: what fails after the answer has begun is told by the answer, and by this once more.
      sent.on('error', reject);
      sent.end(body);
    });
    const { statusCode: status = 0, headers } = answer;
    // A bound for what is kept elsewhere is none for what would lie in memory.
    const max = keepPiece && status !== 200 ? 0 : bytesMax;
    return { status, headers, ...(await takeBody(answer, max, keepPiece)) };
  } finally {
    sent.destroy();
  }
}

async function takeBody(
  answer: IncomingMessage,
  bytesMax: number,
  keepPiece: OutgoingRequest['keepPiece'],
): Promise<{ body: Buffer; cut: boolean }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  if (bytesMax > 0) {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      const kept = piece.subarray(0, bytesMax - bytes);
      if (keepPiece) await keepPiece(kept);
      else pieces.push(kept);
      bytes += piece.length;
      if (bytes > bytesMax) break;
    }
  }
  answer.on('error', () => undefined);
  return { body: Buffer.concat(pieces), cut: bytes > bytesMax };
}
