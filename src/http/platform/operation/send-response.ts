/** Sends the response of an operation in the requested format, compressed where the client accepts that. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inVendorWords } from '../../compat/translate.ts';
import { compressOnce, type KeptBody, wantsGzip } from '../../compression.ts';
import { sendExact } from '../../send-exact.ts';
import { contentTypeOf, type Format, render } from './formats.ts';

interface ResponseForm {
  readonly format: Format;
  readonly jsonContentType: string;
}

/** What it returns, if anything, resolves when the body is compressed. */
export function sendResponse(
  response: unknown,
  { format, jsonContentType }: ResponseForm,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> | undefined {
  const vendor = request.wording === 'vendor';
  if (format === 'json') {
    const body = jsonText(response as object, vendor, reply);
    // In other words it is made anew each time.
    const kept = vendor ? {} : { keeper: response as object };
    return sendBody({ contentType: jsonContentType, body, ...kept }, request, reply);
  }
  const body = render(vendor ? inVendorWords(response) : response, format);
  return sendBody({ contentType: contentTypeOf[format], body }, request, reply);
}

export interface SentBody extends KeptBody {
  readonly contentType: string;
}

export function sendBody(
  sent: SentBody,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> | undefined {
  const { contentType, body } = sent;
  if (wantsGzip(request.headers['accept-encoding'], body)) return sendCompressed(sent, reply);
  sendExact(reply, contentType, body);
  return undefined;
}

async function sendCompressed(sent: SentBody, reply: FastifyReply): Promise<unknown> {
  return sendExact(reply.header('content-encoding', 'gzip'), sent.contentType, await compressOnce(sent));
}

function jsonText(response: object, vendor: boolean, reply: FastifyReply): string {
  const neutral = serialized(response, reply);
  return vendor ? JSON.stringify(inVendorWords(JSON.parse(neutral))) : neutral;
}

/** By response object: an operation that returns the same object again has it serialized once. */
const serializedTexts = new WeakMap<object, string>();

/** The JSON of a response that was sent before. */
export function findSerialized(response: object): string | undefined {
  return serializedTexts.get(response);
}

function serialized(response: object, reply: FastifyReply): string {
  const known = findSerialized(response);
  if (known !== undefined) return known;
  const text = reply.serialize(response) as string;
  serializedTexts.set(response, text);
  return text;
}
