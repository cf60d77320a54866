/** Deterministic collectors with varying delays. */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { collectorOf } from '../fixtures/collection-fixture.ts';

function numberOf(domain: string): number {
  return createHash('sha256').update(domain).digest().readUInt8();
}

export const steadyCollectors = [
  collectorOf('dns', async ({ domain }) => {
    await pause(numberOf(domain) % 20);
    return { outcome: 'found', part: { ip: [{ address: `192.0.2.${numberOf(domain)}` }] } };
  }),
  collectorOf('rdap', async ({ domain }) => {
    await pause(numberOf(domain) % 15);
    const registrar = `Registrar ${numberOf(domain) % 7}`;
    return {
      outcome: 'found',
      part: { parsed_domain_rdap: { registrar } },
      lines: [{ feed: 'domainrdap', record: { parsed_record: { registry_request_url: registrar } } }],
    };
  }),
  collectorOf('web', async ({ domain }) => ({
    outcome: 'found',
    part: { website_title: `About ${domain}` },
  })),
  collectorOf('ip', async ({ known }) => ({
    outcome: 'found',
    part: { ip: (known.ip ?? []).map((each) => ({ ...each, asn: [64500] })) },
  })),
];
