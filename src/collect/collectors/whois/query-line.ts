/** The query line for a WHOIS server: the name, with the flags that some servers need to return the full record of the domain. */
import { normaliseText } from '../../../model/record/normalise-text.ts';

const forms: Readonly<Record<string, (name: string) => string>> = {
  // Without it, hosts whose names begin with the domain are listed as well.
  'whois.verisign-grs.com': (name) => `domain =${name}`,
  'whois.crsnic.net': (name) => `domain =${name}`,
  'whois.denic.de': (name) => `-T dn,ace ${name}`,
  // For an answer in English.
  'whois.jprs.jp': (name) => `${name}/e`,
  'whois.punktum.dk': (name) => `--show-handles ${name}`,
  'whois.dk-hostmaster.dk': (name) => `--show-handles ${name}`,
};

/** Without line end. Undefined for text that is not a host name, which keeps line breaks and flags out of the protocol. */
export function findQueryLine(server: string, name: string): string | undefined {
  const formed = normaliseText('host', name);
  if ('must' in formed || formed.text !== name || name === '') return undefined;
  return forms[server]?.(name) ?? name;
}
