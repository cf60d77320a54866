/** A STIX 2.1 bundle of domains, written object by object. */
import type { ExportFormat } from './export-format.ts';
import { bundleId, identityOf, objectsOf } from './stix-objects.ts';

export const stixFormat: ExportFormat = {
  extension: 'stix.json',
  contentType: 'application/stix+json;version=2.1',
  canDefang: false,
  begin: (context) =>
    `{"type":"bundle","id":"${bundleId(context)}","objects":[\n${JSON.stringify(identityOf(context))}`,
  domain: (domain, context) =>
    objectsOf(domain, context)
      .map((object) => `,\n${JSON.stringify(object)}`)
      .join(''),
  end: () => '\n]}\n',
};
