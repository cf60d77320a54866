/** Failures of remote commands: one sentence for people, and an exit code for scripts. */
import { InvalidArgumentError } from 'commander';
import { NameglassError } from '../../client/nameglass-error.ts';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { Problem } from '../../model/problem.ts';

export const exitCodes = { error: 1, usage: 2, authentication: 3, notFound: 4, limit: 5 } as const;

export class RemoteFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.error) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function usageFailure(message: string): RemoteFailure {
  return new RemoteFailure(message, exitCodes.usage);
}

export interface Explanation {
  readonly sentence: string;
  readonly exitCode: number;
}

/** Undefined for what is not expected: our own mistake. */
export function explainFailure(error: unknown, server: string, nowMs: number): Explanation | undefined {
  if (error instanceof RemoteFailure) return { sentence: error.message, exitCode: error.exitCode };
  if (error instanceof InvalidArgumentError) return { sentence: error.message, exitCode: exitCodes.usage };
  if (error instanceof Problem) return problemOf(error);
  if (error instanceof NameglassError) return ofClient(error, server, nowMs);
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string'
    ? { sentence: (error as Error).message, exitCode: exitCodes.error }
    : undefined;
}

function problemOf(problem: Problem): Explanation {
  const isUsage = problem.code === 'invalid-parameters';
  return { sentence: problem.message, exitCode: isUsage ? exitCodes.usage : exitCodes.error };
}

const exitCodeOf: Readonly<Partial<Record<NameglassError['code'], number>>> = {
  invalid: exitCodes.usage,
  authentication: exitCodes.authentication,
  permission: exitCodes.authentication,
  'not-found': exitCodes.notFound,
  limit: exitCodes.limit,
};

function ofClient(error: NameglassError, server: string, nowMs: number): Explanation {
  const exitCode = exitCodeOf[error.code] ?? exitCodes.error;
  return { sentence: sentenceOf(error, server, nowMs), exitCode };
}

function sentenceOf(error: NameglassError, server: string, nowMs: number): string {
  const { code, message, fields } = error;
  if (code === 'unreachable') return connectionSentence(error, server);
  if (code === 'authentication')
    return `${server} refuses the key: ${ended(message)} nameglass login ${server} stores another one.`;
  if (code === 'limit') return limitSentence(error, nowMs);
  if (code === 'unexpected' && /not JSON/.test(message))
    return `${server} answered with something else than JSON, such as a web page: it is not the API of a Nameglass server.`;
  if (code === 'not-found' && message.endsWith('status 404.'))
    return `${server} has no such path, or is not a Nameglass server: check the address, a prefix in its path included.`;
  if (code === 'internal' && error.requestId !== undefined)
    return `${ended(message)} The log of the server has it under the request ${error.requestId}.`;
  return fields ? fieldSentence(fields) : message;
}

function fieldSentence(fields: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(fields)
    .map(([field, messages]) => `${field}: ${messages.join(' ')}`)
    .join('; ');
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** When to try again, in words and on the clock. */
function limitSentence({ message, retryAfterSeconds: seconds }: NameglassError, nowMs: number): string {
  if (seconds === undefined) return `${ended(message)} Waiting does not help.`;
  const at = new Date(nowMs + seconds * 1000).toISOString().slice(11, 19);
  const limit = ended(message.replace(/ ?Try again in [^.]*\./, ''));
  return `${limit} Try again in ${durationText(seconds)}, at ${at} UTC; --wait ${seconds} waits for it.`;
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

const ca = 'For a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file.';

/** By the codes of Node and OpenSSL. */
const connectionSentences: readonly (readonly [code: RegExp, sentence: (host: string) => string])[] = [
  [/^(?:ENOTFOUND|EAI_NONAME)$/, (host) => `There is no host ${host}: check the name of the server.`],
  [/^EAI_AGAIN$/, (host) => `The name ${host} cannot be resolved now: no DNS server answers.`],
  [/^ECONNREFUSED$/, (host) => `Nothing answers at ${host}: is the server running, and on that port?`],
  [
    /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/,
    (host) => `${host} does not answer: no route, or a firewall.`,
  ],
  [/^(?:ECONNRESET|UND_ERR_SOCKET|EPIPE)$/, (host) => `${host} closed the connection.`],
  [/^CERT_HAS_EXPIRED$/, (host) => `The TLS certificate of ${host} has expired.`],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, (host) => `The TLS certificate is not for ${host}.`],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/,
    (host) => `The TLS certificate of ${host} is not from a known authority. ${ca}`,
  ],
  [/^(?:ERR_SSL_.*|EPROTO)$/, (host) => `${host} does not speak TLS there: check https:// and the port.`],
];

function connectionSentence(error: NameglassError, server: string): string {
  const code = causeCode(error);
  const host = URL.canParse(server) ? new URL(server).host : server;
  const found = connectionSentences.find(([pattern]) => pattern.test(code));
  return found ? found[1](host) : error.message;
}

function causeCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const own = (error as NodeJS.ErrnoException).code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return (error instanceof NameglassError ? '' : own) || causeCode(inner);
}

export function reportFailure(error: unknown, server: string, nowMs: number): void {
  const explained = explainFailure(error, server, nowMs);
  if (!explained) throw error;
  process.stderr.write(`nameglass: ${escapeForTerminal(explained.sentence)}\n`);
  process.exitCode = explained.exitCode;
}
