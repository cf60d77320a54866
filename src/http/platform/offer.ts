/**
 * How a platform operation runs, step by step, the same for all: read what was sent, authenticate, authorize, read the
 * parameters, count the request against the product's limits, do it, answer in the family's form.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Caller, ProductGrant } from '../../model/account.ts';
import { Problem } from '../../model/problem.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings.ts';
import { type AuthenticateNeeds, authenticate } from '../../product/account/authenticate.ts';
import { authorize } from '../../product/account/authorize.ts';
import { productDraw, take } from '../../product/account/product-limits.ts';
import type { Draw, UsageStore } from '../../store/usage-store.ts';
import { mountPrefixes } from '../address.ts';
import { inVendorWords } from '../compat/translate.ts';
import { compress, wantsGzip } from '../compression.ts';
import { sendExact } from '../send-exact.ts';
import { readCredentials } from './credentials.ts';
import { ErrorAnswer } from './dialect.ts';
import { contentTypeOf, type Format, formats, render } from './formats.ts';
import { jsonType, type Operation, type OperationId, operations } from './operations.ts';
import { parameterReader } from './parameters.ts';
import { readSent, type Sent } from './sent.ts';

export interface OfferNeeds extends AuthenticateNeeds {
  readonly usage: Pick<UsageStore, 'claimOnce' | 'draw'>;
  readonly settings: Settings;
}

export interface Asked<Parameters> {
  readonly caller: Caller;
  readonly grant: ProductGrant;
  readonly parameters: Parameters;
  readonly nowMs: number;
  /** For operations that read more than they can declare. */
  readonly sent: Sent;
  /** The form that the answer is wanted in, where the family has several. */
  readonly format: string;
  /** For what is neither credential nor parameter: the path, headers, a body that is data. */
  readonly request: FastifyRequest;
}

interface CommonSpec<Parameters extends TObject> {
  readonly parameters: Parameters;
  /** Parameters that are read from what was sent rather than declared, for the OpenAPI description. */
  readonly alsoRead?: Readonly<Record<string, TSchema>>;
  /** What the request draws on; by default every limit of its product. `free`: it counts nowhere. */
  readonly draw?: 'free' | ((asked: Asked<Static<Parameters>>) => DrawChoice | Promise<DrawChoice>);
  /** How a failed validation is called where the family's own word is not meant: feeds answer all of them with 422. */
  readonly invalid?: 'invalid-members';
}

type DrawChoice = Draw | 'free' | 'product';

export interface OperationSpec<Parameters extends TObject, Answer extends TSchema, Question>
  extends CommonSpec<Parameters> {
  readonly answer: Answer;
  /** What is asked, where parameters alone do not tell. What makes no sense is refused here, before it counts. */
  readonly understand?: (asked: Asked<Static<Parameters>>) => Question | Promise<Question>;
  readonly run: (asked: Asked<Static<Parameters>>, question: Question) => Promise<Static<Answer>>;
}

/** An operation that answers by itself, because what it answers with is no single value. */
export interface DeliverySpec<Parameters extends TObject, Question> extends CommonSpec<Parameters> {
  /** Forms of the answer besides those of the family. */
  readonly moreFormats?: readonly string[];
  /** Answers by status, for the OpenAPI description. */
  readonly answers: Readonly<Record<string, object>>;
  /** What is asked. A question that makes no sense is refused here, before it counts. */
  readonly understand: (asked: Asked<Static<Parameters>>) => Question;
  readonly deliver: (question: Question, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

/** A product's routes: they offer the operations that the product can do. */
export interface Offer {
  <Parameters extends TObject, Answer extends TSchema, Question>(
    id: OperationId,
    spec: OperationSpec<Parameters, Answer, Question>,
  ): void;
  <Parameters extends TObject, Question>(id: OperationId, spec: DeliverySpec<Parameters, Question>): void;
}

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded'];

function formatParameter(more: readonly string[] = []) {
  const offered = [...formats, ...more];
  return Type.Unsafe<string>({
    type: 'string',
    enum: offered,
    default: 'json',
    description: 'form of the answer',
  });
}

/** `offer` mounts an operation with what it does; `offerRest` mounts the doors of those that no product has offered. */
export function createOffer(
  scope: FastifyInstance,
  needs: OfferNeeds,
): { offer: Offer; offerRest: () => void } {
  const missing = new Set(Object.keys(operations) as OperationId[]);
  const prefixes = mountPrefixes(needs.settings);

  const enter = async (request: FastifyRequest, operation: Operation) => {
    const sent = readSent(request, operation.bodyIsData);
    const singleUse = isKeyAdministration(operation);
    const caller = await authenticate(readCredentials(request, sent, { prefixes, singleUse }), needs);
    request.username = caller.user.username;
    const nowMs = needs.clock.now();
    const product = productOf(operation, request);
    const grant = authorize(caller, { product, permission: operation.permission }, nowMs);
    return { sent, caller, grant, nowMs };
  };

  const offer: Offer = (
    id: OperationId,
    spec: OperationSpec<TObject, TSchema, unknown> | DeliverySpec<TObject, unknown>,
  ) => {
    missing.delete(id);
    const operation: Operation = operations[id];
    const formatted = ['Account', 'Enrich', 'Investigate'].includes(operation.family);
    const schema = formatted
      ? Type.Object({
          ...spec.parameters.properties,
          format: Type.Optional(formatParameter('run' in spec ? [] : spec.moreFormats)),
        })
      : spec.parameters;
    const code = detectWrites.has(id) ? 'invalid-members' : 'invalid-parameters';
    const read = parameterReader(schema, spec.invalid ?? code, spec.invalid);
    const answers =
      'run' in spec ? { 200: { ...spec.answer, description: operation.summary } } : spec.answers;
    const described = Type.Object({ ...spec.alsoRead, ...schema.properties });
    mount(scope, id, operation, routeSchema(operation, described, answers), async (request, reply) => {
      const { sent, caller, grant, nowMs } = await enter(request, operation);
      const { format = 'json', ...parameters } = read(sent) as { format?: string };
      const asked = { caller, grant, parameters, nowMs, sent, format, request };
      const question = await spec.understand?.(asked);
      const draw = typeof spec.draw === 'function' ? await spec.draw(asked) : (spec.draw ?? 'product');
      if (draw !== 'free') {
        const counted = draw === 'product' ? productDraw(caller.account, grant, needs.settings) : draw;
        await take(needs.usage, counted, grant.product, nowMs);
      }
      if (!('run' in spec)) return spec.deliver(question, request, reply);
      return send(await spec.run(asked, question), format as Format, operation, request, reply);
    });
  };

  const offerRest = () => {
    for (const id of missing) {
      const operation: Operation = operations[id];
      const schema = {
        ...routeSchema(operation, Type.Object({}), {
          200: { ...Type.Object({}), description: operation.summary },
        }),
        description: 'To come: credentials and permissions are checked, then the answer is 404.',
      };
      mount(scope, id, operation, schema, async (request) => {
        await enter(request, operation);
        throw new Problem('product-absent', `This server does not have ${operation.family} yet.`);
      });
    }
  };

  return { offer, offerRest };
}

function mount(
  scope: FastifyInstance,
  id: OperationId,
  operation: Operation,
  schema: object,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  const [method, url] = operation.route.split(' ') as [HTTPMethods, string];
  scope.route({
    method,
    url,
    config: { access: operation.permission, operation: id, scope: 'platform' },
    schema: { operationId: id, tags: [operation.family], summary: operation.summary, ...schema },
    handler,
  });
}

function productOf(operation: Operation, request: FastifyRequest): ProductId | 'any' {
  if (typeof operation.product === 'string') return operation.product;
  const product = operation.product(request.params as Record<string, string>);
  if (!product) throw new Problem('not-found', 'There is no such feed.');
  return product;
}

/** A signature covers neither parameters nor body, so one that was captured must not be able to make or reset a key. */
function isKeyAdministration(operation: Operation): boolean {
  return operation.family === 'Account' && !operation.route.startsWith('GET ');
}

/** Only these answer 422, and only they take a JSON body that the contract describes. */
const detectWrites: ReadonlySet<OperationId> = new Set<OperationId>([
  'postDetectMonitor',
  'putDetectMonitor',
  'patchDetectDomains',
  'postDetectEscalations',
]);

/** For the OpenAPI description and the serializer; validation happens in `parameters.ts`, after authentication. */
function routeSchema(operation: Operation, parameters: TObject, answers: Readonly<Record<string, object>>) {
  const inQuery = /^(GET|DELETE) /.test(operation.route);
  const data = { body: Type.String(), consumes: ['application/x-ndjson'], querystring: parameters };
  const inBody = operation.bodyIsData ? data : { body: parameters, consumes: bodyTypes };
  const place = inQuery ? { querystring: parameters } : inBody;
  const security = [{ header: [] }, { signature: [] }, { openKey: [] }, { basic: [] }];
  return {
    ...place,
    security,
    response: { ...answers, '4xx': ErrorAnswer, '5xx': ErrorAnswer },
  };
}

/** An answer that a product gives again is not written out again. */
const texts = new WeakMap<object, string>();

function textOf(answer: object, reply: FastifyReply): string {
  const known = texts.get(answer);
  if (known !== undefined) return known;
  const text = reply.serialize(answer) as string;
  texts.set(answer, text);
  return text;
}

async function send(
  answer: unknown,
  format: Format,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const vendor = request.wording === 'vendor';
  const type = format === 'json' ? jsonType(operation.family) : contentTypeOf[format];
  const text =
    format === 'json'
      ? jsonText(answer as object, vendor, reply)
      : render(vendor ? inVendorWords(answer) : answer, format);
  return sendBody(type, text, request, reply);
}

/** Packed where that is wanted and worth it. */
export async function sendBody(
  type: string,
  body: string | Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (!wantsGzip(request.headers['accept-encoding'], body)) return sendExact(reply, type, body);
  return reply
    .header('content-type', type)
    .header('content-encoding', 'gzip')
    .send(await compress(body));
}

function jsonText(answer: object, vendor: boolean, reply: FastifyReply): string {
  const neutral = textOf(answer, reply);
  return vendor ? JSON.stringify(inVendorWords(JSON.parse(neutral))) : neutral;
}
