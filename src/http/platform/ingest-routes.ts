/** How programs bring lines into a channel. It is free: whoever may do it is trusted to know how much the disk holds. */
import { Type } from 'typebox';
import { appendLines, type IngestNeeds } from '../../product/ingest/append-lines.ts';
import type { Offer } from './offer.ts';
import { bodyOf } from './sent.ts';

const IngestAnswer = Type.Object({
  response: Type.Object({
    lines: Type.Integer({ description: 'lines that are durable now' }),
    repeated: Type.Optional(
      Type.Boolean({ description: 'they were there already, under this Idempotency-Key' }),
    ),
  }),
});

export function ingestRoutes(offer: Offer, needs: IngestNeeds): void {
  offer('postChannelLines', {
    parameters: Type.Object({}),
    answer: IngestAnswer,
    draw: 'free',
    run: async ({ caller, request, nowMs }) => {
      const { channel = '' } = request.params as { channel?: string };
      const idempotencyKey = request.headers['idempotency-key']?.toString();
      const brought = { channel, body: bodyOf(request), idempotencyKey };
      const { lines, repeated } = await appendLines(caller, brought, needs, nowMs);
      return { response: { lines, ...(repeated ? { repeated } : {}) } };
    },
  });
}
