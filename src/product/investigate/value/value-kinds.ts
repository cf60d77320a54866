/** Values that have pages of their own, and the search parameters that find the domains with one of them. */
import { isIP } from 'node:net';
import { fieldProblem } from '../../../model/problem.ts';
import type { Condition } from '../../../model/record/condition.ts';
import { normaliseText } from '../../../model/record/normalise-text.ts';
import type { SearchContext } from '../search-parameter.ts';
import { findParameter } from '../search-parameters.ts';
import { emailAddress, hostName, InvalidValue, type Rule, sha1 } from '../value-rules.ts';

export const valueKinds = ['ip', 'name_server', 'email', 'certificate'] as const;
export type ValueKind = (typeof valueKinds)[number];

interface KindRules {
  readonly read: Rule<string>;
  /** The main one first. */
  readonly parameters: readonly string[];
}

const address: Rule<string> = (text) => {
  const made = isIP(text.trim()) === 0 ? undefined : normaliseText('address', text);
  if (!made || !('text' in made)) throw new InvalidValue('must be an IP address');
  return made.text;
};

const kinds: Readonly<Record<ValueKind, KindRules>> = {
  ip: { read: address, parameters: ['ip', 'nameserver_ip', 'mailserver_ip'] },
  name_server: { read: hostName, parameters: ['nameserver_host', 'mailserver_host'] },
  email: { read: emailAddress, parameters: ['email', 'email_dns_soa', 'ssl_email', 'historical_email'] },
  certificate: { read: sha1, parameters: ['ssl_hash'] },
};

/** In its normal form; throws `invalid-parameters`. */
export function getValue(kind: ValueKind, text: string): string {
  try {
    return kinds[kind].read(text);
  } catch (error) {
    if (error instanceof InvalidValue) throw fieldProblem('invalid-parameters', 'value', error.message);
    throw error;
  }
}

export interface ValueRoleRule {
  readonly parameter: string;
  readonly condition: Condition;
  /** A search can have it as the value of the parameter. */
  readonly searchable: boolean;
}

/** Each role with its condition. Search parameters know IPv4 alone; the records have other addresses too. */
export function rolesOf(kind: ValueKind, value: string, context: SearchContext): readonly ValueRoleRule[] {
  const isIpv6 = kind === 'ip' && value.includes(':');
  return kinds[kind].parameters.flatMap((parameter): readonly ValueRoleRule[] => {
    if (isIpv6) {
      const condition = { kind: 'has', attributes: [addressAttributes[parameter] as string], value } as const;
      return [{ parameter, condition, searchable: false }];
    }
    const condition = findParameter(parameter)?.parse(value, context);
    return condition ? [{ parameter, condition, searchable: true }] : [];
  });
}

const addressAttributes: Readonly<Record<string, string>> = {
  ip: 'ip.address',
  nameserver_ip: 'name_server.ip',
  mailserver_ip: 'mx.ip',
};
