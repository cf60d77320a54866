/**
 * A platform operation as one value: where it is mounted, who may call it, what it reads, what it costs and what it does.
 * Each family folder defines its own; `run-operation.ts` runs them.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Caller, ProductGrant } from '../../../model/account/account.ts';
import type { Permission } from '../../../model/account/permission.ts';
import type { ProductId } from '../../../model/product-catalogue.ts';
import type { Charge } from '../../../store/usage-store.ts';
import type { Family } from '../families.ts';
import type { InvalidCode } from './parameters.ts';
import type { RawParameters } from './raw-parameters.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OperationContext<Parameters> {
  readonly caller: Caller;
  readonly grant: ProductGrant;
  readonly parameters: Parameters;
  readonly nowMs: number;
  /** For operations that read more than they can declare. */
  readonly raw: RawParameters;
  /** The requested response format; `json` where the family has no other. */
  readonly format: string;
  /** For what is neither credential nor parameter: the path, headers, a body that is data. */
  readonly request: FastifyRequest;
}

/** What an operation is, apart from what it does. */
export interface OperationDescription<Parameters extends TObject = TObject> {
  /** The contract's operation id, also in OpenAPI, the request log and metrics. */
  readonly id: string;
  readonly family: Family;
  /** Method, and path below `/v1`. */
  readonly route: `${Method} /${string}`;
  /** A function where one operation serves several products, chosen by path parameters; undefined answers 404. */
  readonly product: ProductId | 'any' | ((path: Readonly<Record<string, string>>) => ProductId | undefined);
  readonly permission: Permission | 'owner';
  readonly summary: string;
  /** What else a caller should know, in the OpenAPI description; who may call it and its formats are added. */
  readonly description?: string;
  readonly parameters: Parameters;
  /** Parameters that `parse` reads from `context.raw`; declared for the documentation only. */
  readonly rawParameters?: Readonly<Record<string, TSchema>>;
  /**
   * Everything that `parse` reads from `context.raw` as one text, equal for equal requests in different spellings: part of the identity
   * of a signed request. By default the values of `rawParameters`.
   */
  readonly rawIdentity?: (raw: RawParameters) => string;
  /** Response formats besides those of the family. */
  readonly extraFormats?: readonly string[];
  /** The body is data, whatever its content type says, and parameters are in the query string alone. */
  readonly bodyIsData?: boolean;
  /** Problem code of a parameter that has its declared type but fails validation; the family's by default. */
  readonly errorCode?: InvalidCode;
  /** The operation changes nothing, although its method and permission suggest a write: a dry run. */
  readonly changesNothing?: boolean;
  /** Status of missing or wrong credentials, 401 by default. */
  readonly unauthorizedStatus?: 401 | 403;
}

/** A GET reads, and so does a POST that needs no more than the permission to read; everything else is a write. */
export function isWrite({
  route,
  permission,
  changesNothing = false,
}: Pick<OperationDescription, 'route' | 'permission' | 'changesNothing'>): boolean {
  if (changesNothing || route.startsWith('GET ')) return false;
  return !(route.startsWith('POST ') && permission === 'read');
}

/** `free`: not counted anywhere. `product`: every limit of the operation's product. */
type ChargeChoice = Charge | 'free' | 'product';

interface OperationSteps<Parameters extends TObject> extends OperationDescription<Parameters> {
  /** What the request is counted against, `product` by default. */
  readonly charge?:
    | 'free'
    | ((context: OperationContext<Static<Parameters>>) => ChargeChoice | Promise<ChargeChoice>);
  /** Called when the server begins to stop, to end responses that would not end by themselves. */
  readonly onClose?: () => void;
}

/** An operation whose response is one value, serialized by the pipeline. */
interface HandledOperation<Parameters extends TObject, Response extends TSchema, Query>
  extends OperationSteps<Parameters> {
  readonly response: Response;
  /** The query, where it is more than the parameters. An invalid request is rejected here, before it is charged. */
  readonly parse?: (context: OperationContext<Static<Parameters>>) => Query | Promise<Query>;
  readonly handle: (context: OperationContext<Static<Parameters>>, query: Query) => Promise<Static<Response>>;
  /**
   * The same for a request without parameters, of a free operation: the response, where it is available without waiting. For operations
   * that clients call before every other call.
   */
  readonly handleSync?: (caller: Caller) => Static<Response> | undefined;
}

/** An operation that writes its own response: a stream, or a body in a form of its own. */
interface RespondingOperation<Parameters extends TObject, Query> extends OperationSteps<Parameters> {
  /** By status, for the OpenAPI description. */
  readonly responses: Readonly<Record<string, object>>;
  /** The query. An invalid request is rejected here, before it is charged. */
  readonly parse: (context: OperationContext<Static<Parameters>>) => Query;
  readonly respond: (query: Query, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /**
   * The answer to a GET of this URL that the caller has got before, where it would be the same now: its parameters were valid then, and it
   * counts against every limit of its product.
   */
  readonly findAgain?: (url: string, caller: Caller, nowMs: number) => AnswerAgain | undefined;
}

export interface AnswerAgain {
  readonly contentType: string;
  readonly body: string | Buffer;
}

/** A defined operation. Its functions accept only what the pipeline read for this very operation. */
export type Operation = HandledOperation<TObject, TSchema, unknown> | RespondingOperation<TObject, unknown>;

export function defineOperation<Parameters extends TObject, Response extends TSchema, Query>(
  operation: HandledOperation<Parameters, Response, Query>,
): Operation;
export function defineOperation<Parameters extends TObject, Query>(
  operation: RespondingOperation<Parameters, Query>,
): Operation;
export function defineOperation(operation: unknown): Operation {
  return operation as Operation;
}
