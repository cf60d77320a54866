/** Sends a request and reads at most `bytesMax` of the response body. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { OutgoingRequest, OutgoingResponse } from './guarded-dialer.ts';

export async function readResponse(
  sent: ClientRequest,
  body: string | undefined,
  bytesMax: number,
  onChunk?: OutgoingRequest['onChunk'],
): Promise<Pick<OutgoingResponse, 'status' | 'headers' | 'head' | 'body' | 'isTruncated'>> {
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      // Stays attached: a failure during the body is reported on the response and once more here.
      sent.on('error', reject);
      sent.end(body);
    });
    const { statusCode: status = 0, headers } = response;
    // `bytesMax` of a streamed body may be large; other bodies would be held in memory, so they are not read.
    const max = onChunk && status !== 200 ? 0 : bytesMax;
    return { status, headers, head: headOf(response), ...(await readBody(response, max, onChunk)) };
  } finally {
    sent.destroy();
  }
}

function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  let head = `HTTP/${httpVersion} ${statusCode} ${statusMessage}\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  return head;
}

async function readBody(
  response: IncomingMessage,
  bytesMax: number,
  onChunk: OutgoingRequest['onChunk'],
): Promise<{ body: Buffer; isTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (bytesMax > 0) {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const kept = chunk.subarray(0, bytesMax - bytes);
      if (onChunk) await onChunk(kept);
      else chunks.push(kept);
      bytes += chunk.length;
      if (bytes > bytesMax) break;
    }
  }
  response.on('error', () => undefined);
  return { body: Buffer.concat(chunks), isTruncated: bytes > bytesMax };
}
