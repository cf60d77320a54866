/** An IP address with a port in a setting: `127.0.0.1:5353`, `[::1]:5353`, and without the port where there is a usual one. */
import { isIP } from 'node:net';
import { Problem } from '../model/problem.ts';

const portMax = 65_535;

export function parseEndpoint(setting: string, text: string, usualPort?: number) {
  const [, bracketed, plain, portText] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = isIP(text) === 6 ? text : (bracketed ?? plain ?? '');
  const port = portText === undefined ? usualPort : Number(portText);
  if (isIP(host) === 0 || port === undefined || port > portMax)
    throw new Problem(
      'unavailable',
      `${setting}: ${JSON.stringify(text)} must be an IP address and a port, such as 127.0.0.1:5353 or [::1]:5353`,
    );
  return { host, port };
}
