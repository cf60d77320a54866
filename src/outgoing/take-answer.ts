/** Sends a request on its way, and takes of the answer no more than is wanted, however much the other side has to say. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { OutgoingAnswer } from './guarded-dialer.ts';

export async function takeAnswer(
  sent: ClientRequest,
  body: string | undefined,
  bytesMax: number,
): Promise<OutgoingAnswer> {
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      // Stays: what fails after the answer has begun is told by the answer, and by this once more.
      sent.on('error', reject);
      sent.end(body);
    });
    const { statusCode: status = 0, headers } = answer;
    return { status, headers, ...(await takeBody(answer, bytesMax)) };
  } finally {
    sent.destroy();
  }
}

async function takeBody(answer: IncomingMessage, bytesMax: number): Promise<{ body: Buffer; cut: boolean }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  if (bytesMax > 0) {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      pieces.push(piece.subarray(0, bytesMax - bytes));
      bytes += piece.length;
      if (bytes > bytesMax) break;
    }
  }
  answer.on('error', () => undefined);
  return { body: Buffer.concat(pieces), cut: bytes > bytesMax };
}
