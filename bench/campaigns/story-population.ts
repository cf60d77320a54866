/** Domains of the simulated world over some weeks, with their records as collectors would have made them each day, and who runs each. */
import { createHash } from 'node:crypto';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import { normaliseRecord } from '../../src/model/record/normalise.ts';
import { WorldClock } from '../../world/clock.ts';
import { crewDomains } from '../../world/story/crews.ts';
import { Story } from '../../world/story/story.ts';
import type { Person, Site, WorldDomain } from '../../world/world-domain.ts';

export interface StoryPopulation {
  /** For each day, the records that are new or have changed; a domain may have several. */
  readonly days: readonly { readonly atMs: number; readonly records: readonly DomainRecord[] }[];
  /** The crew that runs a domain, or has bought it; nobody else's are there. */
  readonly crews: ReadonlyMap<string, string>;
}

export interface PopulationOptions {
  readonly seed: number;
  /** Before the first day. */
  readonly domains: number;
  readonly days: number;
  readonly eventsPerHour: number;
  /** As registries do where the law asks for it. */
  readonly hidesRegistrants?: boolean;
}

/** That of its name servers is one of its domains. */
const crewNames: ReadonlySet<string> = new Set(crewDomains);
const startMs = Date.parse('2026-03-10T00:00:00Z');
const dayMs = 86_400_000;

export async function storyPopulation({
  seed,
  domains,
  days: count,
  eventsPerHour,
  hidesRegistrants = false,
}: PopulationOptions): Promise<StoryPopulation> {
  const clock = new WorldClock({ startMs, speed: 0, machineNow: () => startMs });
  const { view } = new Story({ seed, domains, startMs, eventsPerHour, hostile: false }, clock);
  const crews = new Map<string, string>();
  const known = new Map<string, string>();
  const changed = new Map<string, WorldDomain>();
  const days: { atMs: number; records: DomainRecord[] }[] = [];
  let records: DomainRecord[] = [];
  const collect = (domain: WorldDomain) => {
    const record = recordOf(hidesRegistrants ? { ...domain, registrant: undefined } : domain);
    const text = JSON.stringify(record);
    if (known.get(domain.name) === text) return;
    known.set(domain.name, text);
    records.push(record);
  };
  const note = (domain: WorldDomain) => {
    if (domain.actor === 'brand') return;
    changed.set(domain.name, domain);
    if (crewNames.has(domain.name)) crews.set(domain.name, domain.name);
    else if (domain.actor === 'crew') crews.set(domain.name, domain.soaEmail.split('@')[1] ?? '');
  };
  for (const domain of view.domains()) note(domain);
  // Collected when its certificate is logged, by which it is found, and at the end of each day.
  view.follow(({ kind, domain: name }) => {
    const domain = view.find(name);
    if (!domain) return;
    note(domain);
    if (kind === 'certified' && domain.actor !== 'brand') collect(domain);
  });
  for (let day = 0; day < count; day += 1) {
    await clock.advance(dayMs);
    for (const domain of changed.values()) collect(domain);
    changed.clear();
    days.push({ atMs: clock.now(), records });
    records = [];
  }
  clock.close();
  return { days, crews };
}

function recordOf(domain: WorldDomain): DomainRecord {
  const { name, site, certifiedMs, registrant, statuses } = domain;
  const isHeld = statuses.some((status) => /hold$/i.test(status));
  const made = normaliseRecord({
    domain: name,
    parsed_domain_rdap: {
      registrar: domain.registrar.name,
      create_date: dayOf(domain.registeredMs),
      expiration_date: dayOf(domain.expiresMs),
      registrar_status: statuses,
      ...(registrant ? { registrant_contact: contactOf(registrant) } : {}),
    },
    ...(isHeld
      ? {}
      : {
          soa_email: [domain.soaEmail],
          name_server: domain.nameServers.map((host) => ({ host })),
          ip: domain.addresses.map((address) => ({ address })),
          mx: domain.mailServers,
          ...(domain.spf === undefined ? {} : { spf_info: domain.spf }),
          ...(site ? webOf(site) : {}),
          ...(certifiedMs === undefined ? {} : { ssl_info: [certificateOf(domain, certifiedMs)] }),
        }),
  });
  if ('faults' in made) throw new Error(made.faults.join('; '));
  return made.record;
}

function contactOf({ name, organization, email, city, country }: Person): object {
  return {
    name,
    email: [email],
    city,
    country,
    ...(organization === undefined ? {} : { org: organization }),
  };
}

function certificateOf({ name, hosts }: WorldDomain, certifiedMs: number): object {
  const hash = createHash('sha1').update(`${name} ${certifiedMs}`).digest('hex');
  return { hash, not_before: dayOf(certifiedMs), alt_names: [name, ...hosts] };
}

function webOf({ title, server, redirectTo, trackers }: Site): object {
  return {
    website_response: 200,
    website_title: title,
    server_type: server,
    ...Object.fromEntries(
      Object.entries(trackers).map(([member, codes]) => [
        member,
        ['ad_tracker_code', 'analytics_code'].includes(member) ? codes[0] : codes,
      ]),
    ),
    ...(redirectTo === undefined ? {} : { redirect: redirectTo }),
  };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
