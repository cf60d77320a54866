/** What a WHOIS server is asked: the name, and around it what some servers want before they tell everything in a form that can be read. */
import { inForm } from '../../../model/record/text-forms.ts';

const forms: Readonly<Record<string, (name: string) => string>> = {
  // Otherwise every host whose name begins so is listed too.
  'whois.verisign-grs.com': (name) => `domain =${name}`,
  'whois.crsnic.net': (name) => `domain =${name}`,
  'whois.denic.de': (name) => `-T dn,ace ${name}`,
  // In English.
  'whois.jprs.jp': (name) => `${name}/e`,
  'whois.punktum.dk': (name) => `--show-handles ${name}`,
  'whois.dk-hostmaster.dk': (name) => `--show-handles ${name}`,
};

/** Without its line end. Undefined for what is no name: nothing else may reach a line of the protocol. */
export function findQueryLine(server: string, name: string): string | undefined {
  const formed = inForm('host', name);
  if ('must' in formed || formed.text !== name || name === '') return undefined;
  return forms[server]?.(name) ?? name;
}
