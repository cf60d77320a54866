/** Who sells names: twelve fictitious companies, the largest first. */
import type { Registrar } from '../world-domain.ts';

const firstIanaId = 9001;

const companies: readonly (readonly [name: string, domain: string])[] = [
  ['Keyhaven Domains, Inc.', 'keyhaven.zon'],
  ['NamePort Registrations LLC', 'nameport.zon'],
  ['Bluefin Registry Services Ltd', 'bluefin-registry.orb'],
  ['Domaine & Fils SARL', 'domaine-et-fils.quill'],
  ['Tulip Names B.V.', 'tulipnames.zon'],
  ['Registrar Nord GmbH', 'registrar-nord.lumen'],
  ['Sakura Domain K.K.', 'sakuradomain.orb'],
  ['Kestrel Internet Pty Ltd', 'kestrel-internet.velt'],
  ['Pampas Dominios S.A.', 'pampasdominios.nimbo'],
  ['QuickDrop Names LLC', 'quickdrop-names.brax'],
  ['Nulla Registrations Limited', 'nulla-registrations.brax'],
  ['Ember & Ash Domains', 'emberash.quill'],
];

/** The domain of a registrar is where its servers are. */
export const registrarDomains: readonly string[] = companies.map(([, domain]) => domain);

export const registrars: readonly Registrar[] = companies.map(([name, domain], index) => ({
  name,
  ianaId: firstIanaId + index,
  whoisHost: `whois.${domain}`,
  rdapHost: `rdap.${domain}`,
  abuseEmail: `abuse@${domain}`,
  abusePhone: `+1.555010${String(1000 + 37 * index)}`,
}));

/** Whose customers are asked nothing: crews like them. */
export const carelessRegistrars: readonly Registrar[] = registrars.slice(-3);
