/** Sends the ZIP file of a case. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../model/problem.ts';
import type { CaseKey, CaseStore } from '../../store/evidence/case-store.ts';
import type { LogRequest } from '../request-log.ts';
import { sendChunks } from '../send-chunks.ts';

export interface SendPackNeeds {
  readonly cases: Pick<CaseStore, 'findCase' | 'scanPack'>;
  readonly logAbandoned: LogRequest;
}

const stalledSeconds = 60;

export async function sendPack(
  key: CaseKey,
  { cases, logAbandoned }: SendPackNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const made = (await cases.findCase(key)) ?? missingCase(key.id);
  const headers = {
    'content-type': 'application/zip',
    'content-length': String(made.bytes),
    'content-disposition': `attachment; filename="evidence-${made.id.slice(0, 8)}.zip"`,
    'cache-control': 'private, no-store',
  };
  const options = { status: 200, headers, gzip: false, stalledSeconds, startsWithChunk: true, logAbandoned };
  await sendChunks(request, reply, options, cases.scanPack(key));
  return reply;
}

export function missingCase(id: string): never {
  throw new Problem('not-found', `there is no evidence pack ${id}`);
}
