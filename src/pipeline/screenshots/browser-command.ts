/**
 * The command line of Chromium: as an unprivileged user, with resource limits, in its sandbox, with the proxy as the only way out, and without
 * background traffic of its own. There is deliberately no switch that disables the sandbox.
 */
import { fileURLToPath } from 'node:url';
import type { Browser } from './find-browser.ts';

export interface BrowserCommand {
  /** The proxy as the browser sees it. */
  readonly proxyServer: string;
  readonly executable: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface BrowserPaths {
  /** Where the proxy listens for a browser in a network namespace of its own. */
  readonly proxyPath: string;
  /** Where the id of its process group is written. */
  readonly pidFile: string;
  /** For everything that it writes. */
  readonly profile: string;
}

/** No core files; data segment in KiB; file size in blocks of 512 bytes. */
const limits = 'ulimit -c 0; ulimit -d 2097152; ulimit -f 409600';
const script = `${limits}; echo $$ > "$0" && exec "$@"`;

export const searchPath = '/usr/bin:/bin:/usr/sbin:/sbin';

/** Prefix of a command that runs in a network namespace of its own, with nothing but loopback. */
export const networkNamespace = {
  command: 'unshare',
  args: ['--net', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'],
} as const;
const namespaceProgram = fileURLToPath(new URL('../../outgoing/proxy/network-namespace.ts', import.meta.url));
/** Arbitrary: nothing else listens in the namespace. */
const namespacePort = 3128;

const unwantedFeatures = [
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  // We choose between http and https.
  'HttpsFirstBalancedMode',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
  'Prerender2',
  'SafeBrowsingOnUMA',
  'Translate',
];

const switches = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-startup-window',
  '--deny-permission-prompts',
  `--disable-features=${unwantedFeatures.join(',')}`,
  // No way around the proxy: neither DNS, nor QUIC, nor WebRTC.
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // No background traffic.
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-notifications',
  '--disable-print-preview',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-service-autorun',
  '--password-store=basic',
  // A smaller attack surface, and the same image on every machine.
  '--disable-3d-apis',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--renderer-process-limit=4',
];

/** `proxyPort` is undefined when the proxy listens on a Unix socket. */
export function browserCommand(
  browser: Browser,
  paths: BrowserPaths,
  proxyPort = namespacePort,
): BrowserCommand {
  const { path, user, hasNetworkNamespace } = browser;
  const enterNamespace = [
    networkNamespace.command,
    ...networkNamespace.args,
    process.execPath,
    namespaceProgram,
  ];
  const isolate =
    hasNetworkNamespace && user
      ? [...enterNamespace, paths.proxyPath, ...[proxyPort, user.uid, user.gid].map(String)]
      : [];
  const become = user
    ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--inh-caps=-all', '--']
    : [];
  const proxyServer = `http://127.0.0.1:${proxyPort}`;
  const own = [`--user-data-dir=${paths.profile}`, `--proxy-server=${proxyServer}`];
  return {
    proxyServer,
    executable: '/bin/sh',
    args: ['-c', script, paths.pidFile, ...isolate, ...become, path, ...switches, ...own],
    // Our own environment may hold secrets.
    env: { PATH: searchPath, LANG: 'C.UTF-8', HOME: paths.profile, TMPDIR: paths.profile },
  };
}
