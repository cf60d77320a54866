/** One question to an RDAP server, RFC 7480: what it knows of a domain, that it knows nothing, or why there is no answer. */
import { Problem } from '../../../model/problem.ts';
import { parseJson } from '../../../model/registration/rdap/parse-json.ts';
import { type RdapDomain, readRdapDomain } from '../../../model/registration/rdap/read-rdap-domain.ts';
import type { Dialer, OutgoingAnswer } from '../../../outgoing/guarded-dialer.ts';
import type { Politeness } from '../collector.ts';

export type RdapOutcome =
  | { readonly outcome: 'domain'; readonly domain: RdapDomain; readonly text: string; readonly url: string }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'failed'; readonly reason: string; readonly isPassing: boolean };

export interface RdapQuestion {
  readonly url: string;
  readonly domain: string;
  readonly bytesMax: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;
const redirectsMax = 3;

/** Throws nothing but the reason of the signal. */
export async function askRdap(
  needs: { readonly dialer: Pick<Dialer, 'send'>; readonly politeness: Politeness },
  question: RdapQuestion,
): Promise<RdapOutcome> {
  const { url, domain, bytesMax, userAgent, signal } = question;
  const host = URL.parse(url)?.hostname ?? url;
  const failed = (reason: string, isPassing: boolean): RdapOutcome => ({
    outcome: 'failed',
    reason: `${host} ${reason}`,
    isPassing,
  });
  let answer: OutgoingAnswer;
  try {
    answer = await needs.politeness.turn(host, signal, () =>
      needs.dialer.send({
        method: 'GET',
        url,
        headers: {
          accept: 'application/rdap+json, application/json;q=0.9',
          // What is packed can be anything once it is unpacked.
          'accept-encoding': 'identity',
          'user-agent': userAgent,
        },
        timeoutMs,
        signal,
        answerBytesMax: bytesMax,
        redirectsMax,
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    return failed(`gave no answer: ${error.message}`, error.code !== 'invalid-parameters');
  }
  if (answer.status === 404) return { outcome: 'unknown' };
  if (answer.status !== 200) return failed(refusalOf(answer), answer.status === 429 || answer.status >= 500);
  const encoding = answer.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return failed('answered packed, although it was not asked to', false);
  if (answer.cut) return failed(`answered with more than ${bytesMax} bytes`, false);
  // Judged by what it is: labels of content are as much a stranger's as the content.
  const found = readRdapDomain(parseJson(answer.body));
  if (found === undefined) return failed('did not answer with a domain object', false);
  if (found.name !== undefined && found.name !== domain)
    return failed('answered about another domain', false);
  return { outcome: 'domain', domain: found, text: answer.body.toString('utf8'), url: answer.url };
}

function refusalOf({ status, headers }: OutgoingAnswer): string {
  const wait = headers['retry-after'];
  const seconds =
    typeof wait === 'string' && /^\d{1,6}$/.test(wait)
      ? `, and wants to be left alone for ${wait} seconds`
      : '';
  return `answered with status ${status}${seconds}`;
}
