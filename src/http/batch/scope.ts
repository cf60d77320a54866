/**
 * The batch API under `/batchd`: POST only, a JSON body whatever the content type says, and the key only in the body.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { inFlow } from '../../concurrency/event-loop-slices.ts';
import type { Caller } from '../../model/account/account.ts';
import type { Clock } from '../../model/clock.ts';
import { minuteText } from '../../model/minute.ts';
import { windowOf } from '../../product/batch/channel-data.ts';
import {
  channelsOf,
  getChannel,
  getChannels,
  getKeyHolder,
  type KeyHolderNeeds,
  type ProfileNeeds,
} from '../../product/batch/profile.ts';
import { linkLifetimeSeconds } from '../../product/batch/retention.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { KeyUse, UsageStore } from '../../store/usage-store.ts';
import { inVendorWords } from '../compat/translate.ts';
import { setDialect } from '../dialect.ts';
import { batchDialect } from './dialect.ts';
import { type Members, readChannels, readMembers, readSpan } from './members.ts';
import type { RangeLinks } from './range-links.ts';
import { chdetailsSchema, chfetchSchema, makeurlSchema, validateSchema } from './route-schemas.ts';
import { type DownloadNeeds, sendSpan } from './send-span.ts';

export interface BatchNeeds extends ProfileNeeds, KeyHolderNeeds, DownloadNeeds {
  readonly accounts: ProfileNeeds['accounts'] & KeyHolderNeeds['accounts'];
  readonly usage: KeyHolderNeeds['usage'] & Pick<UsageStore, 'noteUse'>;
  readonly streams: DownloadNeeds['streams'] & Pick<StreamStore, 'findState'>;
  readonly settings: ProfileNeeds['settings'];
  readonly clock: Clock;
  readonly links: RangeLinks;
}

/** An authenticated request. */
interface BatchRequest {
  readonly caller: Caller;
  readonly members: Members;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface BatchRoute {
  readonly url: string;
  readonly schema: FastifySchema & { readonly operationId: string };
  readonly answer: (request: BatchRequest) => unknown;
}

const ok = { _status: 'OK', _message: '' };

export function batchScope(needs: BatchNeeds) {
  const routes: readonly BatchRoute[] = [
    { url: '/v1/validate', schema: validateSchema, answer: (request) => profileOf(request, needs) },
    { url: '/v1/batch/chdetails', schema: chdetailsSchema, answer: (request) => detailsOf(request, needs) },
    { url: '/v1/batch/chfetch', schema: chfetchSchema, answer: (request) => fetchData(request, needs) },
    { url: '/v1/batch/makeurl', schema: makeurlSchema, answer: (request) => makeLink(request, needs) },
  ];
  return async (scope: FastifyInstance) => {
    setDialect(
      scope,
      batchDialect,
      routes.map(({ url }) => `/batchd${url}`),
    );
    scope.setValidatorCompiler(() => () => true);
    for (const { url, schema, answer } of routes) {
      scope.route({
        method: 'POST',
        url,
        config: { access: 'key', operation: schema.operationId, scope: 'batch' },
        schema,
        handler: async (request, reply) => {
          const members = readMembers(request);
          const caller = await getKeyHolder(members['apikey'], request, needs);
          request.username = caller.user.username;
          needs.usage.noteUse(useOf(caller, request), needs.clock.now());
          return inFlow(caller.user.id, () => answer({ caller, members, request, reply }));
        },
      });
    }
  };
}

function useOf({ account, user }: Caller, client: FastifyRequest): KeyUse {
  const { id: userId, username } = user;
  return { accountId: account.id, username, item: 'batch', key: { userId, client } };
}

async function profileOf({ caller, request, reply }: BatchRequest, needs: BatchNeeds) {
  const channels = (await channelsOf(caller, needs)).map(
    ({ number, description }) => [`ch${number}`, { description }] as const,
  );
  const profile = { username: caller.user.username, batch: Object.fromEntries(channels) };
  const answer = { profile, ...ok };
  if (request.wording === 'neutral') return answer;
  return reply.type('application/json').send(JSON.stringify(inVendorWords(answer)));
}

async function detailsOf({ caller, members }: BatchRequest, needs: BatchNeeds) {
  const { streams, settings, clock } = needs;
  const numbers = readChannels(members, settings.batch.channelMax);
  const channels = await getChannels(caller, numbers, needs);
  const details: [name: string, details: object][] = [];
  for (const { number, mimetype } of channels) {
    const { earliestMinute, endMinute, bytes } = await windowOf(number, { streams }, clock.now());
    const [earliest, latest] = [minuteText(earliestMinute), minuteText(endMinute)];
    details.push([`ch${number}`, { earliest, latest, size: bytes, mimetype }]);
  }
  return { channels: Object.fromEntries(details), ...ok };
}

async function fetchData({ caller, members, request, reply }: BatchRequest, needs: BatchNeeds) {
  const span = readSpan(members, needs.settings.batch.channelMax);
  const { mimetype } = await getChannel(caller, span.channel, needs);
  return sendSpan({ request, reply, span, mimetype }, needs);
}

/** Links are also created for pruned and future data: the download reports whether there is any. */
async function makeLink({ caller, members }: BatchRequest, needs: BatchNeeds) {
  const { settings, clock, links } = needs;
  const span = readSpan(members, settings.batch.channelMax);
  await getChannel(caller, span.channel, needs);
  return {
    ...ok,
    url: links.make(span, {
      nowMs: clock.now(),
      lifetimeSeconds: linkLifetimeSeconds(span.channel, settings),
    }),
  };
}
