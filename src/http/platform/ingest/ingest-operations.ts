/** Appends lines to a batch channel, beyond the contract. It has limits of its own and counts against no product. */
import { Type } from 'typebox';
import { appendLines, type IngestNeeds } from '../../../product/ingest/append-lines.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { bodyOf } from '../operation/raw-parameters.ts';

const IngestResponse = Type.Object({
  response: Type.Object({
    lines: Type.Integer({ description: 'lines durably stored' }),
    repeated: Type.Optional(
      Type.Boolean({ description: 'an earlier request with this Idempotency-Key already stored them' }),
    ),
  }),
});

export function ingestOperations(needs: IngestNeeds): readonly Operation[] {
  const postChannelLines = defineOperation({
    id: 'postChannelLines',
    family: families.ingest,
    route: 'POST /channels/:channel/lines/',
    product: 'any',
    permission: 'ingest',
    summary: 'Appends lines to a channel that the account owns',
    description: 'All lines or none. With the header `Idempotency-Key` a repeated request appends nothing.',
    parameters: Type.Object({}),
    bodyIsData: true,
    response: IngestResponse,
    charge: 'free',
    handle: async ({ caller, request, nowMs }) => {
      const { channel = '' } = request.params as { channel?: string };
      const idempotencyKey = request.headers['idempotency-key']?.toString();
      const batch = { channel, body: bodyOf(request), idempotencyKey };
      const { lines, repeated } = await appendLines(caller, batch, needs, nowMs);
      return { response: { lines, ...(repeated ? { repeated } : {}) } };
    },
  });
  return [postChannelLines];
}
