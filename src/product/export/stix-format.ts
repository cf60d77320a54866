/**
 * A STIX 2.1 bundle of domains, written object by object. Two objects with the same id must have the same creation time, so that is part of the id
 * of an indicator; and one version of an object must always say the same, so every export is a new version.
 */
import {
  basedOnContent,
  identityContent,
  identityCreatedMs,
  indicatorContent,
  resolvesToContent,
} from '../../model/stix/stix-contents.ts';
import { accountIdentityId, addressType, stixId } from '../../model/stix/stix-ids.ts';
import { observable, type StixObject, versionedObject } from '../../model/stix/stix-object.ts';
import { tlpMarking } from '../../model/stix/tlp-marking.ts';
import type { ExportContext, ExportedDomain, ExportFormat } from './export-format.ts';

export const stixFormat: ExportFormat = {
  extension: 'stix.json',
  contentType: 'application/stix+json;version=2.1',
  canDefang: false,
  open: (context) => {
    /** Addresses that several domains have are in the bundle once. */
    const written = new Set<string>();
    const textOf = (object: StixObject) => {
      if (written.has(object.id)) return '';
      if (object.type.startsWith('ip')) written.add(object.id);
      return `,\n${JSON.stringify(object)}`;
    };
    const head = [tlpMarking(context.marking), identityOf(context)].map((object) => JSON.stringify(object));
    return {
      begin: `{"type":"bundle","id":"${bundleId(context)}","objects":[\n${head.join(',\n')}`,
      domain: (domain) => objectsOf(domain, context).map(textOf).join(''),
      end: '\n]}\n',
    };
  },
};

/** The account: the author of all indicators. */
function identityOf({ account, marking, nowMs }: ExportContext): StixObject {
  const version = { createdMs: identityCreatedMs, modifiedMs: Math.max(identityCreatedMs, nowMs) };
  const content = identityContent(account.name, { marking });
  return versionedObject({ type: 'identity', id: accountIdentityId(account.id) }, version, content);
}

function bundleId({ account, subject, nowMs }: ExportContext): string {
  return stixId('bundle', account.id, subject, String(nowMs));
}

/** The observables, and an indicator unless the domain is known to be good. */
function objectsOf({ record, tags }: ExportedDomain, context: ExportContext): readonly StixObject[] {
  const { account, marking, nowMs } = context;
  const { domain, domain_risk: risk } = record;
  const by = { identityId: accountIdentityId(account.id), marking };
  const createdMs = new Date(record.first_seen ?? nowMs).getTime();
  const version = { createdMs, modifiedMs: Math.max(createdMs, nowMs) };
  const created = new Date(createdMs).toISOString();
  const addresses = [...new Set((record.ip ?? []).map(({ address }) => address))].map((address) =>
    observable(addressType(address), address),
  );
  const resolutions = addresses.map((address) => {
    const id = stixId('relationship', 'resolves-to', account.id, domain, address.id, created);
    return versionedObject({ type: 'relationship', id }, version, resolvesToContent(domain, address.id, by));
  });
  const observed = [observable('domain-name', domain), ...addresses, ...resolutions];
  const score = risk?.risk_score;
  if (score === 0) return observed;
  const threats = risk?.components.flatMap((component) => component.threats ?? []) ?? [];
  const labels = [...new Set([...threats, ...tags])];
  const id = stixId('indicator', account.id, domain, created);
  const basedOn = stixId('relationship', 'based-on', account.id, domain, created);
  return [
    ...observed,
    versionedObject(
      { type: 'indicator', id },
      version,
      indicatorContent({ domain, score, labels, validFromMs: createdMs }, by),
    ),
    versionedObject({ type: 'relationship', id: basedOn }, version, basedOnContent(id, domain, by)),
  ];
}
