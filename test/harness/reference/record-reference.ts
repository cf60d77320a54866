/** Reference model of the domain store: a plain list of records that answers every query with a full scan. */
import { valuesOf } from '../../../src/model/record/attributes.ts';
import type { Column, Condition } from '../../../src/model/record/condition.ts';
import type { DomainRecord, ParsedWhois } from '../../../src/model/record/domain-record.ts';
import { fold } from '../../../src/model/record/fold.ts';
import { registrationOf } from '../../../src/model/record/registration.ts';
import type { RecordUpdate, SharedValue, SortOrder } from '../../../src/store/domain-store.ts';

interface Kept {
  record: DomainRecord;
  /** Every WHOIS record that was ever stored. */
  readonly whois: ParsedWhois[];
}

export class RecordReference {
  readonly #kept = new Map<string, Kept>();

  /** Takes the merged record from the store's result; the history is what was passed to it. */
  note({ record }: RecordUpdate, stored: DomainRecord): void {
    const kept = this.#kept.get(record.domain) ?? { record: stored, whois: [] };
    kept.record = stored;
    if (record.parsed_whois) kept.whois.push(record.parsed_whois);
    this.#kept.set(record.domain, kept);
  }

  search(condition: Condition, { by, descending }: SortOrder): string[] {
    const found = [...this.#kept.values()].filter((kept) => matches(kept, condition));
    const sign = descending ? -1 : 1;
    return found
      .map(({ record }) => record)
      .sort((left, right) => {
        const names = left.domain < right.domain ? -1 : 1;
        if (by === 'domain') return sign * names;
        const [one, other] = [numberOf(left, by), numberOf(right, by)];
        if (one === undefined || other === undefined) {
          return Number(one === undefined) - Number(other === undefined) || names;
        }
        return sign * (one - other) || names;
      })
      .map(({ domain }) => domain);
  }

  countOf({ attribute, value }: SharedValue): number {
    return this.#having(attribute, value).length;
  }

  averageRiskOf({ attribute, value }: SharedValue): number | undefined {
    const scores = this.#having(attribute, value)
      .map((record) => record.domain_risk?.risk_score)
      .filter((score) => score !== undefined);
    return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  }

  /** Values that at least one record has. */
  values(): SharedValue[] {
    return [...this.#kept.values()].flatMap(({ record }) => valuesOf(record));
  }

  #having(attribute: string, value: string): DomainRecord[] {
    return [...this.#kept.values()].map(({ record }) => record).filter((one) => has(one, attribute, value));
  }
}

function has(record: DomainRecord, attribute: string, value: string): boolean {
  return valuesOf(record).some((one) => one.attribute === attribute && fold(one.value) === fold(value));
}

function matches({ record, whois }: Kept, condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.of.every((one) => matches({ record, whois }, one));
    case 'or':
      return condition.of.some((one) => matches({ record, whois }, one));
    case 'not':
      return !matches({ record, whois }, condition.of);
    case 'has':
      return condition.attributes.some((attribute) => has(record, attribute, condition.value));
    case 'contains':
      return condition.attributes.some((attribute) => contains(record, attribute, fold(condition.text)));
    case 'whois': {
      const texts =
        condition.over === 'latest' ? [record.parsed_whois?.record] : whois.map((one) => one.record);
      return texts.some((text) => hasPhrase(text ?? '', condition.text));
    }
    case 'historical':
      return whois.some((one) =>
        saidOf(one, condition.of).some((value) => fold(value) === fold(condition.value)),
      );
    case 'domain':
      return condition.names.includes(record.domain);
    case 'compare': {
      const number = numberOf(record, condition.column);
      return number !== undefined && compare(number, condition.comparison, condition.value);
    }
    case 'active':
      return (record.active ?? false) === condition.value;
    case 'tld':
      return record.domain.endsWith(`.${condition.tld}`);
    case 'tagged':
      throw new Error('the reference knows no tags');
  }
}

function contains(record: DomainRecord, attribute: string, part: string): boolean {
  if (part === '') return false;
  if (attribute === 'domain') return record.domain.includes(part);
  return valuesOf(record).some((one) => one.attribute === attribute && fold(one.value).includes(part));
}

function hasPhrase(text: string, phrase: string): boolean {
  const words = (of: string) =>
    of
      .normalize('NFC')
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter(Boolean);
  const wanted = words(phrase);
  const all = words(text);
  return wanted.length > 0 && all.some((_, at) => wanted.every((word, index) => all[at + index] === word));
}

function saidOf(whois: ParsedWhois, what: 'email' | 'registrant'): string[] {
  const contacts = [
    whois.registrant_contact,
    whois.technical_contact,
    whois.admin_contact,
    whois.billing_contact,
  ];
  const emails = [...contacts.flatMap((one) => one?.email ?? []), ...(whois.additional_whois_email ?? [])];
  const holder = whois.registrant_contact;
  const holders = [whois.registrant_name, whois.registrant_org, holder?.name, holder?.org];
  return what === 'email' ? emails : holders.filter((one) => one !== undefined);
}

function numberOf(record: DomainRecord, column: Column): number | undefined {
  const days = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text) / 86_400_000);
  const instant = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  const numbers: Record<Column, number | undefined> = {
    first_seen: instant(record.first_seen),
    create_date: days(registrationOf(record).create_date),
    expiration_date: days(registrationOf(record).expiration_date),
    data_updated: instant(record.data_updated_timestamp),
    popularity_rank: record.popularity_rank,
    risk_score: record.domain_risk?.risk_score,
    website_response: record.website_response,
  };
  return numbers[column];
}

function compare(left: number, comparison: string, right: number): boolean {
  if (comparison === '=') return left === right;
  if (comparison === '<') return left < right;
  if (comparison === '<=') return left <= right;
  return comparison === '>' ? left > right : left >= right;
}
