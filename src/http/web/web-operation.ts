/**
 * An operation of the web UI as one value: where it is mounted below `/ui/api`, who may call it, what it reads and what it does. Each
 * family folder defines its own and lists them; `operations.ts` joins the lists, `run-web-operation.ts` runs them. By the time an operation
 * runs, the Host header, the origin of a write, the session and the permission have been checked.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Caller } from '../../model/account/account.ts';
import type { Permission } from '../../model/account/permission.ts';
import type { Person, Session } from '../../model/person/person.ts';
import type { ProductId } from '../../model/product-catalogue.ts';

/** The person behind a session, as the caller that product functions expect: `user` has the person's id, name and permissions. */
export interface WebCaller extends Caller {
  readonly person: Person;
  readonly session: Session;
}

/**
 * `open`: anyone. `session`: every person who is signed in. `operator`: people whom the operator of the server has made one. Else a
 * person's permission.
 */
export type WebAccess = 'open' | 'session' | 'operator' | Permission;

export interface WebInput<Params, Query, Body, WhoCalls> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: WhoCalls;
  readonly nowMs: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** For what is no parameter: the address, headers, cookies. */
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type CallerFor<Access extends WebAccess> = Access extends 'open' ? WebCaller | undefined : WebCaller;

interface WebDescription<
  Access extends WebAccess,
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/ui/api`, such as `/detect/domains/:id`. */
  readonly path: `/${string}`;
  readonly access: Access;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The account must be provisioned for it; any product by default. */
  readonly product?: ProductId;
  /** Counted before it is handled, as a page that a person reads. What is charged to a product is charged by `charge-product.ts`. */
  readonly charge?: 'page';
  /** Called when the server begins to stop, to end responses that would not end by themselves. */
  readonly onClose?: () => void;
}

type InputOf<
  Access extends WebAccess,
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
> = WebInput<Static<Params>, Static<Query>, Static<Body>, CallerFor<Access>>;

/** Answers with one JSON value; `undefined` is answered with 204. */
interface AnsweringOperation<
  Access extends WebAccess,
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Answer extends TSchema,
> extends WebDescription<Access, Params, Query, Body> {
  readonly answer: Answer;
  readonly handle: (input: InputOf<Access, Params, Query, Body>) => Promise<Static<Answer>>;
}

/** Writes its own response: a stream of events, a picture, a file. */
interface RespondingOperation<
  Access extends WebAccess,
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
> extends WebDescription<Access, Params, Query, Body> {
  readonly respond: (input: InputOf<Access, Params, Query, Body>) => Promise<unknown>;
}

/** A defined operation. Its functions accept only what was read for this very operation. */
export type WebOperation =
  | AnsweringOperation<WebAccess, TObject, TObject, TObject, TSchema>
  | RespondingOperation<WebAccess, TObject, TObject, TObject>;

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- what TypeBox calls an object without members
type NoMembers = TObject<Record<never, never>>;

export function defineWebOperation<
  const Access extends WebAccess,
  Answer extends TSchema,
  Params extends TObject = NoMembers,
  Query extends TObject = NoMembers,
  Body extends TObject = NoMembers,
>(operation: AnsweringOperation<Access, Params, Query, Body, Answer>): WebOperation;
export function defineWebOperation<
  const Access extends WebAccess,
  Params extends TObject = NoMembers,
  Query extends TObject = NoMembers,
  Body extends TObject = NoMembers,
>(operation: RespondingOperation<Access, Params, Query, Body>): WebOperation;
export function defineWebOperation(operation: unknown): WebOperation {
  return operation as WebOperation;
}
