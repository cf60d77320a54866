/** The balancers of `deploy/` with their real software, in front of two nodes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDeployed } from '../../deploy/deploy-files.ts';
import { adapted, nginxArguments, type ProxySoftware } from './proxied-server.ts';

interface BalancerWhere {
  /** With `cert.pem` and `key.pem`. */
  readonly directory: string;
  readonly port: number;
}

type Ports = readonly [first: number, second: number];

export interface Balancer extends Omit<ProxySoftware, 'configure'> {
  /** Writes the configuration of `deploy/` for these ports, and returns the arguments. */
  readonly balance: (where: BalancerWhere, nodes: Ports) => readonly string[];
  /** Whether it asks nodes if they are ready. */
  readonly checksHealth: boolean;
  /** Whether it never repeats a signed request, which a node accepts once. */
  readonly knowsSignatures: boolean;
}

export const nginxBalancer: Balancer = {
  name: 'nginx of several nodes',
  debianPackage: 'nginx-light',
  command: 'nginx',
  started: 'event method',
  checksHealth: false,
  knowsSignatures: false,
  balance: ({ directory, port }, [first, second]) => {
    const site = adapted(readDeployed('nginx/nameglass-cluster.conf'), [
      ['listen 80;', `listen unix:${directory}/plain.sock;`],
      [/ {2}listen \[::\]:.*\n/, ''],
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['api-1:8080', `127.0.0.1:${first}`],
      ['api-2:8080', `127.0.0.1:${second}`],
      ['/etc/nginx/nameglass/tls.crt', `${directory}/cert.pem`],
      ['/etc/nginx/nameglass/tls.key', `${directory}/key.pem`],
    ]);
    return nginxArguments(directory, site);
  },
};

export const haproxyBalancer: Balancer = {
  name: 'HAProxy',
  debianPackage: 'haproxy',
  command: 'haproxy',
  started: 'Loading success',
  checksHealth: true,
  knowsSignatures: true,
  balance: ({ directory, port }, [first, second]) => {
    const [certificate, key] = ['cert.pem', 'key.pem'].map((file) => readFileSync(join(directory, file)));
    writeFileSync(join(directory, 'nameglass.pem'), `${String(certificate)}\n${String(key)}`);
    const file = join(directory, 'haproxy.cfg');
    writeFileSync(
      file,
      adapted(readDeployed('haproxy/haproxy.cfg'), [
        ['bind :80\n', `bind unix@${directory}/plain.sock\n`],
        ['bind :443 ', `bind 127.0.0.1:${port} `],
        ['/etc/haproxy/nameglass.pem', `${directory}/nameglass.pem`],
        ['192.0.2.11:8080', `127.0.0.1:${first}`],
        ['192.0.2.12:8080', `127.0.0.1:${second}`],
        // Only root can change to another user.
        ...(process.getuid?.() === 0 ? [] : [[/ {2}(?:user|group) haproxy\n/, ''] as const]),
      ]),
    );
    // With a master process, which says when it serves.
    return ['-W', '-db', '-f', file];
  },
};

/** One server stands for both nodes, where what passes through is the point. */
function withOneServer({ balance, ...software }: Balancer): ProxySoftware {
  return { ...software, configure: ({ upstream, ...where }) => balance(where, [upstream, upstream]) };
}

export const nginxOfNodes = withOneServer(nginxBalancer);
export const haproxy = withOneServer(haproxyBalancer);
