/**
 * Looks at the web site of a domain: where it sends visitors, what it answers, its title, its server, and the trackers in its page. Over
 * http, as people who only know the name come, and over https where nobody is there.
 */
import { findBaseDomain } from '../../../model/base-domain.ts';
import type { Clock } from '../../../model/clock.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { inForm } from '../../../model/record/text-forms.ts';
import { trackerMembers } from '../../../model/record/tracker-members.ts';
import type { Settings } from '../../../model/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import type { Collector, Look, LookOutcome, Politeness } from '../collector.ts';
import { cutText } from '../cut-text.ts';
import { type NoAnswer, noAnswerOf } from '../no-answer.ts';
import { type Arrival, type Ask, followRedirects, textOf } from './follow-redirects.ts';

export interface WebCollectorNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  readonly politeness: Politeness;
  readonly settings: {
    readonly collect: Pick<Settings['collect'], 'bodyBytesMax' | 'lookSeconds' | 'userAgent'>;
  };
  readonly clock: Clock;
}

const requestMsMax = 10_000;
const serverLengthMax = 255;

export function createWebCollector({ dialer, politeness, settings, clock }: WebCollectorNeeds): Collector {
  const { bodyBytesMax, lookSeconds, userAgent } = settings.collect;
  const lookMs = lookSeconds * 1000;
  const headers = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'accept-language': 'en',
  };

  /** Ends a little before the look does, so that what was found until then is told. */
  const asking = ({ domain, known, signal }: Look): Ask => {
    const endMs = clock.now() + 0.9 * lookMs;
    return (url) => {
      const { hostname } = new URL(url);
      const server = (hostname === domain && known.ip?.[0]?.address) || hostname;
      return politeness.turn(server, signal, async () => {
        const timeoutMs = Math.floor(Math.min(requestMsMax, lookMs / 3, endMs - clock.now()));
        if (timeoutMs <= 0) return undefined;
        const bounds = { timeoutMs, answerBytesMax: bodyBytesMax, signal };
        return dialer.send({ method: 'GET', url, headers, certificate: 'any', ...bounds });
      });
    };
  };

  const arrive = async (look: Look, start: string, ask: Ask): Promise<Arrival | NoAnswer> => {
    try {
      return await followRedirects(start, ask, bodyBytesMax);
    } catch (error) {
      look.signal.throwIfAborted();
      return noAnswerOf(error);
    }
  };

  return {
    name: 'web',
    members: [
      'redirect',
      'redirect_domain',
      'website_response',
      'website_title',
      'server_type',
      ...trackerMembers,
    ],
    look: async (look): Promise<LookOutcome> => {
      const ask = asking(look);
      const open = await arrive(look, `http://${look.domain}/`, ask);
      if ('answer' in open) return { outcome: 'found', part: partOf(look.domain, open) };
      if (open.meaning === 'refused') return failed(open);
      const secure = await arrive(look, `https://${look.domain}/`, ask);
      if ('answer' in secure) return { outcome: 'found', part: partOf(look.domain, secure) };
      const isAbsent = open.meaning === 'absent' && secure.meaning === 'absent';
      if (isAbsent) return { outcome: 'found', part: {} };
      return failed(secure.meaning === 'absent' ? open : secure);
    },
  };
}

function failed({ meaning, reason }: NoAnswer): LookOutcome {
  return { outcome: 'failed', reason, isPassing: meaning === 'passing' };
}

function partOf(domain: string, { url, answer, page }: Arrival): Partial<DomainRecord> {
  const server = inForm('text', cutText(textOf(answer.headers['server']), serverLengthMax));
  return {
    ...redirectOf(domain, url),
    website_response: answer.status,
    ...(page?.title ? { website_title: page.title } : {}),
    ...('text' in server && server.text !== '' ? { server_type: server.text } : {}),
    ...page?.trackers,
  };
}

/** That a site is at its own `www`, or at https, is no redirect to speak of. */
function redirectOf(
  domain: string,
  redirect: string,
): Pick<Partial<DomainRecord>, 'redirect' | 'redirect_domain'> {
  const hostname = new URL(redirect).hostname.replace(/\.$/, '');
  if (hostname === domain || hostname === `www.${domain}`) return {};
  const host = inForm('host', hostname);
  const base = 'text' in host ? findBaseDomain(host.text) : undefined;
  return { redirect, ...(base === undefined ? {} : { redirect_domain: base }) };
}
