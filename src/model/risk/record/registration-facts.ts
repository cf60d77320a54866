/** Facts from the registration: age and term, registrar, status and registrant. */
import type { DomainRecord, Registration } from '../../record/domain-record.ts';
import { daysBetween, form, identities, identity, type RecordFact, under } from './record-fact.ts';

/** In days. Lists of bad domains lag by days, so ages within the first month are not distinguished. */
const ageBounds = [30, 90, 180, 365, 1095, 3650];
const termYearsMax = 3;
const daysPerYear = 365.25;
const statusesMax = 16;
/** Statuses by which a registry or a registrar suspends a name. */
const holds = ['clienthold', 'serverhold'];

const none: Registration = {};

/** Each member comes from the first source that has it: RDAP, then WHOIS, then the record. */
export function registrationFacts(record: DomainRecord, nowMs: number): readonly RecordFact[] {
  const { parsed_domain_rdap: rdap = none, parsed_whois: whois = none } = record;
  const create_date = rdap.create_date ?? whois.create_date ?? record.create_date;
  const expiration_date = rdap.expiration_date ?? whois.expiration_date ?? record.expiration_date;
  const registrar = rdap.registrar ?? whois.registrar ?? record.registrar;
  const contact = rdap.registrant_contact ?? whois.registrant_contact ?? record.registrant_contact;
  const registrarStatus = rdap.registrar_status ?? whois.registrar_status ?? record.registrar_status ?? [];
  const statuses = registrarStatus.slice(0, statusesMax);
  const age = daysBetween(create_date, nowMs);
  const term = daysBetween(create_date, expiration_date);
  return [
    ...(age === undefined ? [] : [form('registrar', 'registration age', under(age, ageBounds, 'days'))]),
    ...(term === undefined ? [] : [form('registrar', 'registration term', yearsOf(term))]),
    ...(statuses.length === 0
      ? []
      : [
          form(
            'registrar',
            'registration is',
            statuses.some((status) => holds.includes(status)) ? 'held' : 'not held',
          ),
        ]),
    ...identity('registrar', 'registrar', registrar && registrarWord(registrar)),
    ...identities('registrar', 'registrar status', statuses),
    ...identity(
      'registrant',
      'registrant organisation',
      contact?.org ?? whois.registrant_org ?? record.registrant_org,
    ),
    ...identity('registrant', 'registrant country', contact?.country),
  ];
}

/** Long terms are not distinguished: they come from renewals. */
function yearsOf(days: number): string {
  const years = Math.round(days / daysPerYear);
  return years > termYearsMax ? 'more' : `${Math.max(0, years)} years`;
}

const nameCharactersMax = 100;
const legalForms = new Set(
  'inc llc ltd limited gmbh ag sa sas sarl srl bv ab oy as co corp company pte pty uab lp plc kg spa sl kk'.split(
    ' ',
  ),
);

/** Normalizes the name of a registrar, which is spelled in many ways: its words without legal forms. */
function registrarWord(registrar: string): string {
  const words = registrar
    .slice(0, nameCharactersMax)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).filter((word) => !legalForms.has(word)).join(' ');
}
