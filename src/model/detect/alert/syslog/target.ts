/** Where a syslog receiver is: `tls://siem.example:6514` or `tcp://siem.example:514`. */

export interface SyslogTarget {
  readonly isSecure: boolean;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

const form = /^(tcp|tls):\/\/(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?\/?$/i;
/** RFC 5425 and RFC 6587. */
const [securePort, plainPort] = [6514, 514];
const lowestFreePort = 1024;
/** Those of syslog below 1024. */
const knownPorts = [514, 601];

/** Undefined for text that is no such target. */
export function findSyslogTarget(text: string): SyslogTarget | undefined {
  const [, scheme = '', host = '', port] = form.exec(text) ?? [];
  // The canonical form of names and addresses, whichever spelling was given.
  const canonical = host === '' ? undefined : URL.parse(`http://${host}/`)?.hostname;
  if (canonical === undefined || canonical === '') return undefined;
  const isSecure = scheme.toLowerCase() === 'tls';
  const number = port === undefined ? (isSecure ? securePort : plainPort) : Number(port);
  if (number < 1 || number > 65_535) return undefined;
  return { isSecure, host: canonical.replace(/^\[(.*)\]$/, '$1'), port: number };
}

/** Whether people who administer an account may choose the port: another one below 1024 may belong to another service. */
export function isSyslogPort(port: number): boolean {
  return port >= lowestFreePort || knownPorts.includes(port);
}
