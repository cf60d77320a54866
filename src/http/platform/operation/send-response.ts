/** Sends the response of an operation in the requested format, compressed where the client accepts that. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inVendorWords } from '../../compat/translate.ts';
import { compress, wantsGzip } from '../../compression.ts';
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
  if (format === 'json')
    return sendBody(jsonContentType, jsonText(response as object, vendor, reply), request, reply);
  const text = render(vendor ? inVendorWords(response) : response, format);
  return sendBody(contentTypeOf[format], text, request, reply);
}

export function sendBody(
  contentType: string,
  body: string | Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> | undefined {
  if (wantsGzip(request.headers['accept-encoding'], body)) return sendCompressed(contentType, body, reply);
  sendExact(reply, contentType, body);
  return undefined;
}

async function sendCompressed(
  contentType: string,
  body: string | Buffer,
  reply: FastifyReply,
): Promise<unknown> {
  return sendExact(reply.header('content-encoding', 'gzip'), contentType, await compress(body));
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
