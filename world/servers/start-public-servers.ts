/** Everything of the world that is asked over the open Internet, but for DNS: registries, certificates and their logs, reports, web sites. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorldView } from '../world-domain.ts';
import { inPem } from './certificates/make-certificate.ts';
import { type Certificates, openCertificates } from './certificates/open-certificates.ts';
import { createRequestLimit } from './registry/rate-limit.ts';
import { bootstrapHost, bootstrapPath, rdapHosts, rdapServer } from './registry/rdap-server.ts';
import { listRegistries, whoisPlaces } from './registry/registries.ts';
import { whoisAnswers } from './registry/whois-answers.ts';
import { startWhoisServer } from './registry/whois-server.ts';
import { answerForReports, reportedList, reportsHost } from './reported-list.ts';
import { sendReply } from './web/reply.ts';
import { tlsContexts } from './web/tls-contexts.ts';
import { startWebFront, type WebFrontNeeds } from './web/web-front.ts';
import { webSites } from './web/web-sites.ts';
import { serviceAddress, type WorldServer, type WorldServerNeeds } from './world-server.ts';

type RequestKind = 'whois' | 'rdap' | 'http' | 'https' | 'ct' | 'reports' | 'websocket';

export async function startPublicServers({ view, directory }: WorldServerNeeds): Promise<WorldServer> {
  const certificates = await openCertificates(view);
  const closers: { close(): void | Promise<void> }[] = [certificates];
  const close = async () => void (await Promise.all(closers.map(async (one) => one.close())));
  try {
    return await assemble({ view, directory, certificates, closers, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble({
  view,
  directory,
  certificates,
  closers,
  close,
}: {
  readonly view: WorldView;
  readonly directory: string;
  readonly certificates: Certificates;
  readonly closers: { close(): void | Promise<void> }[];
  readonly close: () => Promise<void>;
}): Promise<WorldServer> {
  const counts: Record<RequestKind, number> = {
    whois: 0,
    rdap: 0,
    http: 0,
    https: 0,
    ct: 0,
    reports: 0,
    websocket: 0,
  };
  const count = (kind: RequestKind) => void (counts[kind] += 1);
  const caFile = join(directory, 'world-ca.pem');
  await writeFile(caFile, inPem(certificates.authority.root));

  const registries = listRegistries(view);
  const requestLimit = createRequestLimit();
  const rdap = rdapServer({ view, registries, requestLimit });
  const rdapNames = new Set(rdapHosts({ view, registries }));
  const ownHosts = [...rdapNames, ...certificates.logHosts, certificates.certstreamHost, reportsHost];
  const sites = webSites(view);

  const visit: WebFrontNeeds['visit'] = async (visited) => {
    if (certificates.logHosts.has(visited.host)) {
      count('ct');
      await sendReply(visited, certificates.answer(visited));
    } else if (rdapNames.has(visited.host)) {
      count('rdap');
      await sendReply(visited, rdap(visited));
    } else if (visited.host === reportsHost) {
      count('reports');
      await sendReply(visited, answerForReports(view, visited));
    } else {
      count(visited.isSecure ? 'https' : 'http');
      await sites(visited);
    }
  };
  const upgrade: WebFrontNeeds['upgrade'] = (host, request, socket, head) => {
    if (host !== certificates.certstreamHost) return false;
    count('websocket');
    certificates.certstream.accept(request, socket, head);
    return true;
  };
  const front = await startWebFront({
    addresses: [...new Set([serviceAddress, ...view.siteAddresses])],
    findContext: tlsContexts({ view, ...certificates, ownHosts }),
    visit,
    upgrade,
  });
  closers.push(front);
  const places = whoisPlaces(registries, view.registrars);
  const answers = whoisAnswers(view, registries);
  const whois = await startWhoisServer({ places, answers, requestLimit, count: () => count('whois') });
  closers.push(whois);

  return {
    hosts: { ...Object.fromEntries(ownHosts.map((host) => [host, serviceAddress])), ...places.addresses },
    settings: {
      'collect.httpPort': String(front.ports.http),
      'collect.httpsPort': String(front.ports.https),
      'collect.whoisPort': String(whois.ports.whois),
      'collect.whoisServer': places.rootHost,
      'collect.rdapBootstrapUrl': `https://${bootstrapHost}${bootstrapPath}`,
      'collect.caFile': caFile,
      ...certificates.settings,
      'risk.lists': JSON.stringify([reportedList]),
    },
    requests: () => ({ ...counts }),
    close,
  };
}
