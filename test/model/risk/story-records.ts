/** Records of a simulated world as collectors would produce them, with their labels: crews are bad, all others good. */
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { normaliseRecord } from '../../../src/model/record/normalise.ts';
import type { LabelledRecord } from '../../../tools/risk-model/record-rows.ts';
import { WorldClock } from '../../../world/clock.ts';
import { Story } from '../../../world/story/story.ts';
import type { WorldDomain } from '../../../world/world-domain.ts';

const startMs = Date.parse('2026-03-10T00:00:00Z');
const livedMs = 10 * 3_600_000;

export async function storyRecords(seed: number, domains: number): Promise<readonly LabelledRecord[]> {
  const clock = new WorldClock({ startMs, speed: 0, machineNow: () => startMs });
  const { view } = new Story({ seed, domains, startMs, eventsPerHour: 300, hostile: false }, clock);
  await clock.advance(livedMs);
  const nowMs = clock.now();
  return [...view.domains()].map((domain) => ({
    record: recordOf(domain),
    nowMs,
    labels: domain.actor === 'crew' ? ['phishing'] : 'good',
    hasIdentities: false,
  }));
}

function recordOf(domain: WorldDomain): DomainRecord {
  const { name, site, certifiedMs, statuses } = domain;
  const isHeld = statuses.some((status) => /hold$/i.test(status));
  const made = normaliseRecord({
    domain: name,
    parsed_domain_rdap: {
      registrar: domain.registrar.name,
      create_date: dayOf(domain.registeredMs),
      expiration_date: dayOf(domain.expiresMs),
      registrar_status: statuses,
    },
    ...(isHeld
      ? {}
      : {
          soa_email: [domain.soaEmail],
          name_server: domain.nameServers.map((host) => ({ host })),
          ip: domain.addresses.map((address) => ({ address })),
          mx: domain.mailServers,
          ...(domain.spf === undefined ? {} : { spf_info: domain.spf }),
        }),
    ...(site && !isHeld ? webOf(site) : {}),
    ...(certifiedMs === undefined || isHeld
      ? {}
      : {
          ssl_info: [
            { hash: 'ab'.repeat(20), not_before: dayOf(certifiedMs), alt_names: [name, ...domain.hosts] },
          ],
        }),
  });
  if ('faults' in made) throw new Error(made.faults.join('; '));
  return made.record;
}

function webOf({ title, server, redirectTo }: NonNullable<WorldDomain['site']>): object {
  return {
    website_response: 200,
    website_title: title,
    server_type: server,
    ...(redirectTo === undefined ? {} : { redirect: redirectTo }),
  };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
