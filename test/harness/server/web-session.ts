/** A person who is signed in to the web UI of a test server, without the cost of a password. */
import { Value } from 'typebox/value';
import { WebError } from '../../../src/http/web/dialect.ts';
import { webOperations } from '../../../src/http/web/operations.ts';
import type { WebOperation } from '../../../src/http/web/web-operation.ts';
import type { Permission } from '../../../src/model/account/permission.ts';
import type { Person } from '../../../src/model/person/person.ts';
import { newToken } from '../../../src/product/people/session-token.ts';
import type { Answer, CallOptions, TestServer } from './test-server.ts';

/** What a browser sends with a request of the app itself. */
export const sameOrigin = {
  host: 'localhost:8080',
  'sec-fetch-site': 'same-origin',
  'x-requested-with': 'nameglass',
} as const;

export interface WebSession {
  readonly person: Person;
  readonly account: string;
  readonly sessionId: string;
  /** The first one; `call` sends the newest, as a browser does. */
  readonly cookie: string;
  /** `call('GET /me')`: a request below `/ui/api`, whose answer must have the form that its operation declares. */
  call(route: string, options?: CallOptions): Promise<Answer>;
}

export interface PersonOptions {
  /** Name of an existing account; by default a new one. */
  readonly account?: string;
  readonly name?: string;
  readonly permissions?: readonly Permission[];
  /** Without it the person has neither password nor passkey. */
  readonly hasPassword?: boolean;
}

let people = 0;

export async function webSession(server: TestServer, options: PersonOptions = {}): Promise<WebSession> {
  people += 1;
  const { name = `person${people}`, permissions = ['read'], hasPassword = true } = options;
  const account = options.account ?? (await server.user({ permissions: ['admin'] })).caller.account.name;
  const author = { actor: 'operator', atMs: server.clock.now() };
  const { person } = await server.people.createPerson({ account, name, permissions }, author);
  // No password has this hash.
  if (hasPassword) await server.people.setPasswordHash(person.id, 'none', author);
  const { token, tokenDigest } = newToken();
  const given = { personId: person.id, tokenDigest, address: '127.0.0.1', agent: 'test', method: 'test' };
  const { id: sessionId } = await server.sessions.createSession(given, author);
  const cookie = `ng=${token}`;
  let current = cookie;
  const call = async (route: string, request?: CallOptions) => {
    const answer = await webCall(server, route, { cookie: current, ...request });
    // There are other cookies than that of the session.
    current = /^ng=[^;]+/.exec(answer.headers['set-cookie'] ?? '')?.[0] ?? current;
    return answer;
  };
  return { person, account, sessionId, cookie, call };
}

/** A request of the app below `/ui/api`. */
export async function webCall(
  server: TestServer,
  route: string,
  { cookie, headers, body, ...rest }: CallOptions & { readonly cookie?: string } = {},
): Promise<Answer> {
  const [method, path] = route.split(/ (.*)/s) as [string, string];
  const answer = await server.call(`${method} /ui/api${path}`, {
    ...rest,
    headers: {
      ...sameOrigin,
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (answer.status === 200) checkForm(server, method, path, answer);
  if (answer.status >= 400) Value.Assert(WebError, answer.json);
  return answer;
}

const operationsByServer = new WeakMap<TestServer, readonly WebOperation[]>();

/** Defining them all takes a while, and tests make many requests. */
function operationsOf(server: TestServer): readonly WebOperation[] {
  const operations = operationsByServer.get(server) ?? webOperations(server as never);
  operationsByServer.set(server, operations);
  return operations;
}

/** Fails for an answer that does not have its declared form: the app is compiled against that form. */
function checkForm(server: TestServer, method: string, path: string, answer: Answer): void {
  const segments = path.split('?')[0]?.split('/') ?? [];
  const operation = operationsOf(server).find(
    (known) =>
      known.method === method &&
      known.path.split('/').length === segments.length &&
      known.path.split('/').every((part, index) => part.startsWith(':') || part === segments[index]),
  );
  if (!operation || !('answer' in operation)) return;
  const [error] = Value.Errors(operation.answer, answer.json);
  if (error) throw new Error(`${method} ${path} answers ${error.instancePath}: ${error.message}`);
}
