/** Probes WHOIS: the registry's record, and those of the servers it refers to. */
import { yieldIfIterationIsFull } from '../../../concurrency/event-loop-slices.ts';
import type { HostThrottle } from '../../../concurrency/host-throttle.ts';
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { ParsedWhois, Registration } from '../../../model/record/domain-record.ts';
import { classifyWhois } from '../../../model/registration/whois/classify-whois.ts';
import { findReferral, isPlainHost } from '../../../model/registration/whois/find-referral.ts';
import { mergeWhois } from '../../../model/registration/whois/merge-whois.ts';
import { parseWhois } from '../../../model/registration/whois/parse-whois.ts';
import { type Entry, readEntries } from '../../../model/registration/whois/read-entries.ts';
import { storedWhoisText } from '../../../model/registration/whois/stored-whois-text.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import type { Collector, ProbeRequest, ProbeResult } from '../collector.ts';
import { findQueryLine } from './query-line.ts';
import { queryWhois } from './query-whois.ts';
import { RegistryServers } from './registry-servers.ts';

export interface WhoisCollectorNeeds {
  readonly dialer: Pick<Dialer, 'connect'>;
  readonly throttle: Pick<HostThrottle, 'run'>;
  readonly settings: {
    readonly collect: Pick<Settings['collect'], 'whoisServer' | 'whoisPort' | 'bodyBytesMax'>;
  };
  readonly clock: Clock;
}

interface WhoisAnswer {
  readonly text: string;
  readonly entries: readonly Entry[];
}

const referralsMax = 2;
/** Many times the size of a record, and parsed within milliseconds. */
const responseBytesMax = 131_072;
const timeoutMs = 10_000;

export function createWhoisCollector({ dialer, throttle, settings, clock }: WhoisCollectorNeeds): Collector {
  const { whoisServer, whoisPort: port, bodyBytesMax } = settings.collect;
  const bytesMax = Math.min(bodyBytesMax, responseBytesMax);

  const query = async (
    server: string,
    name: string,
    { signal, keepRaw }: Pick<ProbeRequest, 'signal' | 'keepRaw'>,
  ): Promise<string> => {
    const line = findQueryLine(server, name);
    if (line === undefined)
      throw new Problem('invalid-parameters', 'is not a name that WHOIS can be queried for');
    const text = await throttle.run(server, signal, () =>
      queryWhois(dialer, { server, port, line, bytesMax, timeoutMs, signal }),
    );
    const bytes = Buffer.from(text);
    keepRaw?.({
      kind: 'whois',
      asked: `${server}:${port}`,
      address: undefined,
      request: line,
      mediaType: 'text/plain; charset=utf-8',
      bytes,
      isTruncated: bytes.length >= bytesMax,
    });
    return text;
  };

  const registries = new RegistryServers(clock, async (tld, signal) => {
    const text = await query(whoisServer, tld, { signal });
    const kind = classifyWhois(text);
    if (kind === 'refused' || kind === 'empty')
      throw new Problem('unavailable', `${whoisServer} gives no answer now`);
    return findReferral(readEntries(text));
  });

  /** A referred server that fails or has no record is left out. */
  const followReferrals = async (first: string, registryText: string, request: ProbeRequest) => {
    const { domain, signal } = request;
    const queried = new Set([first, whoisServer.toLowerCase()]);
    let entries = readEntries(registryText);
    const answers: WhoisAnswer[] = [{ text: registryText, entries }];
    let isComplete = true;
    for (let left = referralsMax; left > 0; left -= 1) {
      const server = findReferral(entries);
      if (server === undefined || queried.has(server)) break;
      queried.add(server);
      try {
        const text = await query(server, domain, request);
        if (classifyWhois(text) !== 'record') {
          isComplete = false;
          break;
        }
        entries = readEntries(text);
        answers.push({ text, entries });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Problem)) throw error;
        isComplete = false;
        break;
      }
    }
    return { answers, isComplete };
  };

  const probe = async (request: ProbeRequest): Promise<ProbeResult> => {
    const { domain, signal } = request;
    try {
      const server = await registries.findServer(domain.slice(domain.lastIndexOf('.') + 1), signal);
      if (server === undefined || !isPlainHost(server)) return { outcome: 'found', part: {} };
      const text = await query(server, domain, request);
      const kind = classifyWhois(text);
      if (kind === 'no-match') return { outcome: 'found', part: {} };
      if (kind !== 'record')
        return failed(
          `${server} ${kind === 'empty' ? 'sent an empty answer' : 'limits the rate of queries'}`,
          true,
        );
      const { answers, isComplete } = await followReferrals(server, text, request);
      await yieldIfIterationIsFull();
      const registrations = answers.map(({ text: answer, entries }) => parseWhois(answer, entries));
      const parsed = mergeWhois([...registrations, ...(isComplete ? [] : storedContacts(request))]);
      const texts = answers.map(({ text: answer }) => answer);
      const fetched = new Date(clock.now()).toISOString();
      return {
        outcome: 'found',
        part: { parsed_whois: { ...parsed, record: storedWhoisText(texts), fetched } },
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Problem) return failed(error.message, error.code !== 'invalid-parameters');
      throw error;
    }
  };

  return { name: 'whois', members: ['parsed_whois'], probe };
}

function failed(reason: string, isTransient: boolean): ProbeResult {
  return { outcome: 'failed', reason, isTransient };
}

/** Contacts from an earlier registrar answer stay while that registrar does not answer. */
function storedContacts({ known }: ProbeRequest): Registration[] {
  const {
    record: _text,
    fetched: _at,
    additional_whois_email: _others,
    ...registration
  }: ParsedWhois = known.parsed_whois ?? {};
  return [registration];
}
