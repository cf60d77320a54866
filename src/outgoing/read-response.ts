/** Sends a request and reads at most `bytesMax` of the response body. The connection is closed, unless it is kept and the response was read to its end. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { OutgoingRequest, OutgoingResponse } from './guarded-dialer.ts';
import { readUpTo } from './read-up-to.ts';

type ResponseOptions = Pick<OutgoingRequest, 'body' | 'responseBytesMax' | 'onChunk'>;

export async function readResponse(
  sent: ClientRequest,
  { body, responseBytesMax: bytesMax, onChunk }: ResponseOptions,
  isKept: boolean,
): Promise<Pick<OutgoingResponse, 'status' | 'headers' | 'head' | 'body' | 'isTruncated'>> {
  let mayKeep = false;
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
    const read = { status, headers, head: headOf(response), ...(await readBody(response, max, onChunk)) };
    mayKeep = isKept && response.readableEnded && !read.isTruncated;
    return read;
  } finally {
    // Where the end of the request was not noticed yet, this would close the connection instead of keeping it.
    if (!mayKeep) sent.destroy();
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
  response.on('error', () => undefined);
  if (bytesMax === 0) return { body: Buffer.alloc(0), isTruncated: false };
  if (!onChunk) {
    const { bytes: body, isTruncated } = await readUpTo(response, bytesMax, bytesMax + 1);
    return { body, isTruncated };
  }
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    await onChunk(chunk.subarray(0, bytesMax - bytes));
    bytes += chunk.length;
    if (bytes > bytesMax) break;
  }
  return { body: Buffer.alloc(0), isTruncated: bytes > bytesMax };
}
