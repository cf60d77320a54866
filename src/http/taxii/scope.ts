/**
 * TAXII 2.1 under `/taxii2` (https://docs.oasis-open.org/cti/taxii/v2.1/os/taxii-v2.1-os.html), read only: one API root with the collections of the
 * caller's account.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inFlow } from '../../concurrency/event-loop-slices.ts';
import type { Caller } from '../../model/account/account.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import {
  type CollectionNeeds,
  getCollection,
  listCollections,
  type SharedCollection,
} from '../../product/sharing/collections.ts';
import { type ReadNeeds, readCollection } from '../../product/sharing/read-collection.ts';
import type { ObjectPage, ObjectQuery } from '../../store/detect/sharing-store.ts';
import { split } from '../address.ts';
import { setDialect } from '../dialect.ts';
import { sendBody } from '../platform/operation/send-response.ts';
import { type AdmitNeeds, admitRequest, chargeRequest } from './admit-request.ts';
import { taxiiDialect } from './dialect.ts';
import { checkAccept, checkContentType, taxiiType } from './media-types.ts';
import { type FilterRules, readObjectFilter } from './object-filter.ts';
import {
  apiRootOf,
  collectionOnWire,
  dateHeaders,
  discoveryOf,
  envelopeText,
  manifestOf,
  versionsOf,
} from './resources.ts';

export interface TaxiiNeeds extends AdmitNeeds, CollectionNeeds, ReadNeeds {
  readonly sharing: CollectionNeeds['sharing'] & ReadNeeds['sharing'];
  readonly settings: AdmitNeeds['settings'] & ReadNeeds['settings'] & Pick<Settings, 'http'>;
  /** With the mount prefix. */
  readonly serverUrl: () => string;
}

export const taxiiPrefix = '/taxii2';

interface TaxiiRequest {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: Readonly<Record<string, string>>;
}

type Answer = (given: TaxiiRequest, needs: TaxiiNeeds) => Promise<unknown>;

const collection = '/api/collections/:collection';

const routes: readonly { url: string; method?: 'POST' | 'DELETE'; operation: string; answer: Answer }[] = [
  {
    url: '/',
    operation: 'taxiiDiscovery',
    answer: general(async (_, { serverUrl }) => discoveryOf(`${serverUrl()}${taxiiPrefix}/api/`)),
  },
  {
    url: '/api',
    operation: 'taxiiApiRoot',
    answer: general(async (_, { settings }) => apiRootOf(settings.http.bodyBytesMax)),
  },
  { url: '/api/collections', operation: 'taxiiCollections', answer: general(collectionsAnswer) },
  { url: collection, operation: 'taxiiCollection', answer: general(collectionAnswer) },
  { url: `${collection}/objects`, operation: 'taxiiObjects', answer: paged({ textOf: envelopeText }) },
  { url: `${collection}/manifest`, operation: 'taxiiManifest', answer: paged({ textOf: json(manifestOf) }) },
  {
    url: `${collection}/objects/:object`,
    operation: 'taxiiObject',
    answer: paged({ textOf: envelopeText, rulesOf: ({ object }) => ({ id: object ?? '' }) }),
  },
  {
    url: `${collection}/objects/:object/versions`,
    operation: 'taxiiVersions',
    answer: paged({
      textOf: json(versionsOf),
      rulesOf: ({ object }) => ({ id: object ?? '', allVersions: true }),
    }),
  },
  { url: '/api/status/:status', operation: 'taxiiStatus', answer: general(noStatus) },
  { url: `${collection}/objects`, method: 'POST', operation: 'taxiiAddObjects', answer: refuseWrite },
  {
    url: `${collection}/objects/:object`,
    method: 'DELETE',
    operation: 'taxiiDeleteObject',
    answer: refuseWrite,
  },
];

export function taxiiScope(needs: TaxiiNeeds) {
  return async (scope: FastifyInstance) => {
    setDialect(
      scope,
      taxiiDialect,
      routes.map(({ url }) => `${taxiiPrefix}${url}`.replace(/\/$/, '')),
    );
    scope.setValidatorCompiler(() => () => true);
    for (const { url, method = 'GET', operation, answer } of routes) {
      scope.route({
        method,
        url,
        config: { access: 'read', operation, scope: 'taxii' },
        schema: { hide: true },
        handler: async (request, reply) => {
          const caller = await admitRequest(request, needs);
          checkAccept(request.headers.accept);
          const params = request.params as Record<string, string>;
          return inFlow(caller.user.id, () => answer({ caller, request, reply, params }, needs));
        },
      });
    }
  };
}

/** What leads to collections counts by itself, and needs no product in particular. */
function general(read: (given: TaxiiRequest, needs: TaxiiNeeds) => Promise<object>): Answer {
  return async (given, needs) => {
    const { caller, request, reply } = given;
    await chargeRequest(caller, { product: 'any', subject: '' }, request, needs);
    return sendBody(
      { contentType: taxiiType, body: JSON.stringify(await read(given, needs)) },
      request,
      reply,
    );
  };
}

async function collectionsAnswer({ caller }: TaxiiRequest, needs: TaxiiNeeds) {
  const collections = await listCollections(caller, needs, needs.clock.now());
  return { collections: collections.map(collectionOnWire) };
}

async function collectionAnswer(given: TaxiiRequest, needs: TaxiiNeeds) {
  return collectionOnWire(await collectionOf(given, needs));
}

function collectionOf({ caller, params }: TaxiiRequest, needs: TaxiiNeeds): Promise<SharedCollection> {
  return getCollection(caller, params['collection'] ?? '', needs, needs.clock.now());
}

type TextOf = (page: ObjectPage, query: ObjectQuery) => string;

function json(resourceOf: (page: ObjectPage, query: ObjectQuery) => object): TextOf {
  return (page, query) => JSON.stringify(resourceOf(page, query));
}

interface PagedAnswer {
  readonly textOf: TextOf;
  readonly rulesOf?: (params: TaxiiRequest['params']) => Omit<FilterRules, 'limitMax'>;
}

function paged({ textOf, rulesOf = () => ({}) }: PagedAnswer): Answer {
  return async (given, needs) => {
    const { caller, request, reply, params } = given;
    const found = await collectionOf(given, needs);
    const { product, alias } = found;
    await chargeRequest(caller, { product, subject: alias }, request, needs);
    const rules = { ...rulesOf(params), limitMax: needs.settings.sharing.pageObjectsMax };
    const { query, matchesNothing } = readObjectFilter(split(request.url).query, rules);
    const page = matchesNothing
      ? { versions: [], isMore: false }
      : await readCollection(found, caller.account.name, query, needs);
    if (rules.id !== undefined && page.versions.length === 0) await requireObject(found, rules.id, needs);
    reply.headers(dateHeaders(page));
    return sendBody({ contentType: taxiiType, body: textOf(page, query) }, request, reply);
  };
}

/** An object that is there may have no version that matches. */
async function requireObject({ key }: SharedCollection, id: string, { sharing }: TaxiiNeeds): Promise<void> {
  const any = await sharing.listObjects(key, { after: -1, limit: 1, ids: [id], versions: 'all' });
  if (any.versions.length === 0) throw new Problem('not-found', 'The collection has no object with this id.');
}

/** Nothing is ever added, so there is no status to ask for. */
async function noStatus(): Promise<never> {
  throw new Problem('not-found', 'There is no such status.');
}

async function refuseWrite(given: TaxiiRequest, needs: TaxiiNeeds): Promise<never> {
  if (given.request.method === 'POST') checkContentType(given.request.sentContentType);
  await chargeRequest(given.caller, { product: 'any', subject: '' }, given.request, needs);
  await collectionOf(given, needs);
  throw new Problem('permission-denied', 'Collections can be read, not written.');
}
