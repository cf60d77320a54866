/** The authority, the office that issues, two logs and the stream that broadcasts their entries, wired together. */
import type { WorldView } from '../../world-domain.ts';
import { inText, type Reply, type Visit } from '../web/reply.ts';
import { type Authority, makeAuthority, makeKeyPair } from './authority.ts';
import { CertificateLog } from './certificate-log.ts';
import { CertificateOffice } from './certificate-office.ts';
import { Certstream } from './certstream.ts';
import { answerByRfc6962 } from './rfc6962-routes.ts';
import { answerInTiles } from './static-routes.ts';

export interface Certificates {
  readonly authority: Authority;
  readonly office: CertificateOffice;
  readonly certstream: Certstream;
  readonly certstreamHost: string;
  readonly logHosts: ReadonlySet<string>;
  /** For the hosts of the logs. */
  readonly answer: (visit: Visit) => Reply;
  readonly settings: Readonly<Record<string, string>>;
  close(): void;
}

const certstreamHost = 'certstream.test';

export async function openCertificates(view: WorldView): Promise<Certificates> {
  const authority = makeAuthority();
  const issuers = [authority.intermediate, authority.root];
  const logs = [
    new CertificateLog('rfc6962', 'oak', 'oak.ct.test', makeKeyPair()),
    new CertificateLog('static', 'elm', 'elm.ct.test', makeKeyPair()),
  ];
  const certstream = new Certstream(() => view.now());
  const office = await CertificateOffice.open({
    view,
    authority,
    logs,
    onLogged: (logged) => certstream.broadcast(logged),
  });
  const find = ({ host, url }: Visit): Reply | undefined => {
    const log = logs.find((one) => one.host === host && url.pathname.startsWith(`${one.path}/`));
    if (!log) return undefined;
    const path = url.pathname.slice(log.path.length);
    return log.kind === 'static'
      ? answerInTiles(log, issuers, view.now(), path)
      : answerByRfc6962(log, {
          path,
          query: url.searchParams,
          nowMs: view.now(),
          roots: [authority.root],
        });
  };
  return {
    authority,
    office,
    certstream,
    certstreamHost,
    logHosts: new Set(logs.map(({ host }) => host)),
    answer: (visit) => find(visit) ?? inText(404, 'not found'),
    settings: {
      'sources.certificateLogs': JSON.stringify(logs.map(settingOf)),
      'sources.certstreams': JSON.stringify([{ name: 'certstream', url: `wss://${certstreamHost}/` }]),
    },
    close: () => {
      office.close();
      certstream.close();
    },
  };
}

function settingOf({ name, url, kind, publicKey }: CertificateLog): unknown {
  return { name, url, kind, publicKey: publicKey.toString('base64'), from: 'start' };
}
