/**
 * How Chromium is started: as somebody else, within limits, with its sandbox, through the proxy and in no other way, and without any
 * business of its own. That there is no switch against the sandbox here is on purpose.
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

export interface BrowserPlace {
  /** Where the proxy listens for a browser in a network of its own. */
  readonly proxyPath: string;
  /** Where the id of its process group is written. */
  readonly pidFile: string;
  /** Its own, for everything that it writes. */
  readonly profile: string;
}

/** Of memory that one of its processes writes to, in KiB, and of a file, in blocks of 512 bytes. */
const limits = 'ulimit -c 0; ulimit -d 2097152; ulimit -f 409600';
const script = `${limits}; echo $$ > "$0" && exec "$@"`;

export const searchPath = '/usr/bin:/bin:/usr/sbin:/sbin';

/** Goes before a command that is to run in a network of its own. */
export const loneNetwork = {
  command: 'unshare',
  args: ['--net', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'],
} as const;
const loneNetworkFile = fileURLToPath(new URL('../../outgoing/proxy/lone-network.ts', import.meta.url));
/** Any: nobody else listens there. */
const loneNetworkPort = 3128;

const unwantedFeatures = [
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  // Which of http and https is asked for is our decision.
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
  // No way around the proxy: neither names, nor QUIC, nor the connections of WebRTC.
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // No business of its own.
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
  // Less to attack, and the same picture everywhere.
  '--disable-3d-apis',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--renderer-process-limit=4',
];

/** `proxyPort` is undefined where the proxy listens at a path. */
export function browserCommand(
  browser: Browser,
  place: BrowserPlace,
  proxyPort = loneNetworkPort,
): BrowserCommand {
  const { path, user, ownNetwork } = browser;
  const lone = [loneNetwork.command, ...loneNetwork.args, process.execPath, loneNetworkFile];
  const separate =
    ownNetwork && user ? [...lone, place.proxyPath, ...[proxyPort, user.uid, user.gid].map(String)] : [];
  const become = user
    ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--inh-caps=-all', '--']
    : [];
  const proxyServer = `http://127.0.0.1:${proxyPort}`;
  const own = [`--user-data-dir=${place.profile}`, `--proxy-server=${proxyServer}`];
  return {
    proxyServer,
    executable: '/bin/sh',
    args: ['-c', script, place.pidFile, ...separate, ...become, path, ...switches, ...own],
    // Not our own environment, which may hold secrets.
    env: { PATH: searchPath, LANG: 'C.UTF-8', HOME: place.profile, TMPDIR: place.profile },
  };
}
