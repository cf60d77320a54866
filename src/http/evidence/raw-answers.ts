/** The raw answers behind a record: a list with the probe of each, and their bytes as a file. */
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { Problem } from '../../model/problem.ts';
import type { KeptAnswer, RawAnswerStore } from '../../store/evidence/raw-answer-store.ts';

export interface RawAnswerNeeds {
  readonly rawAnswers: Pick<RawAnswerStore, 'listAnswers' | 'findBytes'>;
}

const answersMax = 200;

export const sha256Pattern = '^[0-9a-f]{64}$';

export const AnswerOnWire = Type.Object({
  kind: Type.String({ description: 'rdap, whois, http-head, http-body, certificate or dns' }),
  collector: Type.String(),
  asked: Type.String({ description: 'the server or URL that was asked' }),
  address: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'the address that answered' }),
  request: Type.String({ description: 'what was asked of it, in words of the protocol' }),
  first_seen: Type.String(),
  last_seen: Type.String(),
  media_type: Type.String(),
  sha256: Type.String(),
  bytes: Type.Integer(),
  truncated: Type.Boolean({ description: 'the answer was longer than what is kept' }),
});

export async function listRawAnswers(
  domain: string,
  { rawAnswers }: RawAnswerNeeds,
): Promise<Static<typeof AnswerOnWire>[]> {
  return (await rawAnswers.listAnswers(domain, answersMax)).map(answerOnWire);
}

/** Always as a file of unknown kind: what servers answered is never drawn by a browser as a page of ours. */
export async function sendRawAnswer(
  { domain, sha256 }: { readonly domain: string; readonly sha256: string },
  { rawAnswers }: RawAnswerNeeds,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answers = await rawAnswers.listAnswers(domain, answersMax);
  const found = answers.find(({ hash }) => hash === sha256);
  const bytes = found && (await rawAnswers.findBytes(sha256));
  if (!found || !bytes)
    throw new Problem('not-found', `there is no answer ${sha256.slice(0, 12)} about ${domain}`);
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-disposition', `attachment; filename="${found.kind}-${sha256.slice(0, 12)}.bin"`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .send(bytes);
}

function answerOnWire(answer: KeptAnswer): Static<typeof AnswerOnWire> {
  const { kind, collector, asked, address = null, request, mediaType, hash, size, isTruncated } = answer;
  return {
    kind,
    collector,
    asked,
    address,
    request,
    first_seen: new Date(answer.firstMs).toISOString(),
    last_seen: new Date(answer.seenMs).toISOString(),
    media_type: mediaType,
    sha256: hash,
    bytes: size,
    truncated: isTruncated,
  };
}
