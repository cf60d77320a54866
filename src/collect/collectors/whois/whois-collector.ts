/** What WHOIS tells of a domain: the registry's answer, and those of the servers that it sends us on to. */
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { ParsedWhois, Registration } from '../../../model/record/domain-record.ts';
import { findReferral, isPlainHost } from '../../../model/registration/whois/find-referral.ts';
import { keptText } from '../../../model/registration/whois/kept-text.ts';
import { mergedWhois } from '../../../model/registration/whois/merged-whois.ts';
import { parseWhois } from '../../../model/registration/whois/parse-whois.ts';
import { verdictOf } from '../../../model/registration/whois/whois-verdict.ts';
import type { Settings } from '../../../model/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import type { Collector, Look, LookOutcome, Politeness } from '../collector.ts';
import { askWhois } from './ask-whois.ts';
import { findQueryLine } from './query-line.ts';
import { RegistryServers } from './registry-servers.ts';

export interface WhoisCollectorNeeds {
  readonly dialer: Pick<Dialer, 'connect'>;
  readonly politeness: Politeness;
  readonly settings: {
    readonly collect: Pick<Settings['collect'], 'whoisServer' | 'whoisPort' | 'bodyBytesMax'>;
  };
  readonly clock: Clock;
}

const referralsMax = 2;
/** What anybody has to say of a domain fits many times over, and is read in a few milliseconds. */
const answerBytesMax = 131_072;
const timeoutMs = 10_000;

export function createWhoisCollector({
  dialer,
  politeness,
  settings,
  clock,
}: WhoisCollectorNeeds): Collector {
  const { whoisServer, whoisPort: port, bodyBytesMax } = settings.collect;
  const bytesMax = Math.min(bodyBytesMax, answerBytesMax);

  const ask = async (server: string, name: string, signal: AbortSignal): Promise<string> => {
    const line = findQueryLine(server, name);
    if (line === undefined)
      throw new Problem('invalid-parameters', 'is not a name that a WHOIS server can be asked');
    return politeness.turn(server, signal, () =>
      askWhois(dialer, { server, port, line, bytesMax, timeoutMs, signal }),
    );
  };

  const registries = new RegistryServers(clock, async (tld, signal) => {
    const text = await ask(whoisServer, tld, signal);
    const verdict = verdictOf(text);
    if (verdict === 'refused' || verdict === 'empty')
      throw new Problem('unavailable', `${whoisServer} tells nothing now`);
    return findReferral(text);
  });

  /** Of those that it is sent on to, one that fails or has nothing to say is left out. */
  const askOnwards = async (first: string, registryText: string, { domain, signal }: Look) => {
    const asked = new Set([first, whoisServer.toLowerCase()]);
    const texts = [registryText];
    let isWhole = true;
    for (let left = referralsMax; left > 0; left -= 1) {
      const server = findReferral(texts.at(-1) ?? '');
      if (server === undefined || asked.has(server)) break;
      asked.add(server);
      try {
        const text = await ask(server, domain, signal);
        if (verdictOf(text) !== 'record') {
          isWhole = false;
          break;
        }
        texts.push(text);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Problem)) throw error;
        isWhole = false;
        break;
      }
    }
    return { texts, isWhole };
  };

  const lookAt = async (look: Look): Promise<LookOutcome> => {
    const { domain, signal } = look;
    try {
      const server = await registries.serverOf(domain.slice(domain.lastIndexOf('.') + 1), signal);
      if (server === undefined || !isPlainHost(server)) return { outcome: 'found', part: {} };
      const text = await ask(server, domain, signal);
      const verdict = verdictOf(text);
      if (verdict === 'no-match') return { outcome: 'found', part: {} };
      if (verdict !== 'record')
        return failed(
          `${server} ${verdict === 'empty' ? 'said nothing' : 'wants to be asked less often'}`,
          true,
        );
      const { texts, isWhole } = await askOnwards(server, text, look);
      const parsed = mergedWhois([...texts.map(parseWhois), ...(isWhole ? [] : kept(look))]);
      const fetched = new Date(clock.now()).toISOString();
      return { outcome: 'found', part: { parsed_whois: { ...parsed, record: keptText(texts), fetched } } };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Problem) return failed(error.message, error.code !== 'invalid-parameters');
      throw error;
    }
  };

  return { name: 'whois', members: ['parsed_whois'], look: lookAt };
}

function failed(reason: string, isPassing: boolean): LookOutcome {
  return { outcome: 'failed', reason, isPassing };
}

/** Contacts that a registrar told before: that it is silent today does not change whose domain it is. */
function kept({ known }: Look): Registration[] {
  const {
    record: _text,
    fetched: _at,
    additional_whois_email: _others,
    ...registration
  }: ParsedWhois = known.parsed_whois ?? {};
  return [registration];
}
