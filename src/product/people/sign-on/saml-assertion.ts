/**
 * What an assertion whose signature was verified must say to count here and now: our provider, our request, our address, our time. The library
 * checks signatures, audience and its own clock, but neither issuer nor recipient.
 */
import { secondMs } from '../../../model/durations.ts';
import { type Claims, claimsOf } from '../../../model/person/sign-on-claims.ts';
import { clockSkewSeconds } from './oidc-client.ts';
import { SignOnFault } from './sign-on-fault.ts';

export interface ExpectedAssertion {
  readonly issuer: string;
  readonly recipient: string;
  readonly requestId: string;
  readonly nowMs: number;
}

export interface CheckedAssertion {
  readonly id: string;
  readonly subject: string;
  readonly claims: Claims;
  readonly expiresMs: number;
}

/** An element as xml2js has it: attributes in `$`, text in `_`, children by local name. */
export interface XmlElement {
  readonly $?: Readonly<Record<string, string>>;
  readonly _?: string;
  readonly [child: string]: unknown;
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const skewMs = clockSkewSeconds * secondMs;
const subjectLengthMax = 255;

/** Throws the SignOnFault `not-verified`. */
export function checkAssertion(assertion: XmlElement, expected: ExpectedAssertion): CheckedAssertion {
  const { issuer, nowMs } = expected;
  const id = assertion.$?.['ID'] ?? '';
  if (id === '') throw refused('it has no ID');
  if (textOf(childrenOf(assertion, 'Issuer')[0]) !== issuer) throw refused('it comes from another issuer');
  const [subject, ...others] = childrenOf(assertion, 'Subject');
  const [conditions, ...more] = childrenOf(assertion, 'Conditions');
  if (!subject || !conditions || others.length + more.length > 0)
    throw refused('it must have one Subject and one Conditions');
  checkTimes(conditions, nowMs, 'Conditions');
  const sessions = childrenOf(assertion, 'AuthnStatement');
  if (sessions.length === 0) throw refused('it has no AuthnStatement');
  if (sessions.some(({ $ }) => isPast($?.['SessionNotOnOrAfter'], nowMs)))
    throw refused('its session has ended');
  const expiresMs = findConfirmation(subject, expected);
  return { id, subject: subjectOf(subject), claims: attributesOf(assertion), expiresMs };
}

/** Until when the assertion may be delivered. */
function findConfirmation(subject: XmlElement, { recipient, requestId, nowMs }: ExpectedAssertion): number {
  const faults = childrenOf(subject, 'SubjectConfirmation')
    .filter(({ $ }) => $?.['Method'] === bearer)
    .map((confirmation) => {
      const data = childrenOf(confirmation, 'SubjectConfirmationData')[0]?.$ ?? {};
      const endMs = Date.parse(data['NotOnOrAfter'] ?? '');
      if (data['Recipient'] !== recipient) return 'it is for another recipient';
      if (data['InResponseTo'] !== requestId) return 'it answers another request';
      if (Number.isNaN(endMs) || endMs + skewMs <= nowMs) return 'it came too late';
      return isFuture(data['NotBefore'], nowMs) ? 'it came too early' : endMs;
    });
  const endMs = faults.find((found) => typeof found === 'number');
  if (endMs === undefined) throw refused(String(faults[0] ?? 'it has no bearer confirmation'));
  return endMs;
}

function subjectOf(subject: XmlElement): string {
  const [nameId] = childrenOf(subject, 'NameID');
  const text = textOf(nameId).trim();
  if (text === '' || text.length > subjectLengthMax) throw refused('its NameID is empty or too long');
  if (nameId?.$?.['Format'] === transient)
    throw refused('its NameID is transient, another one each time; configure a persistent one');
  return text;
}

/** By name, and by friendly name where there is one. */
function attributesOf(assertion: XmlElement): Claims {
  const found: Record<string, string[]> = Object.create(null);
  const attributes = childrenOf(assertion, 'AttributeStatement').flatMap((statement) =>
    childrenOf(statement, 'Attribute'),
  );
  for (const attribute of attributes) {
    const values = childrenOf(attribute, 'AttributeValue').map(textOf);
    for (const name of new Set([attribute.$?.['Name'], attribute.$?.['FriendlyName']]))
      if (name !== undefined) found[name] = [...(found[name] ?? []), ...values];
  }
  return claimsOf(found);
}

function checkTimes({ $: attributes = {} }: XmlElement, nowMs: number, what: string): void {
  if (isFuture(attributes['NotBefore'], nowMs)) throw refused(`it came too early for its ${what}`);
  if (isPast(attributes['NotOnOrAfter'], nowMs)) throw refused(`it came too late for its ${what}`);
}

function isFuture(time: string | undefined, nowMs: number): boolean {
  return time !== undefined && !(Date.parse(time) - skewMs <= nowMs);
}

function isPast(time: string | undefined, nowMs: number): boolean {
  return time !== undefined && !(Date.parse(time) + skewMs > nowMs);
}

/** xml2js has a text without attributes as a string. */
function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  const found = element[name];
  return Array.isArray(found)
    ? found.map((child) => (typeof child === 'string' ? { _: child } : (child as XmlElement)))
    : [];
}

function textOf(element: XmlElement | undefined): string {
  return typeof element?._ === 'string' ? element._ : '';
}

function refused(why: string): SignOnFault {
  return new SignOnFault('not-verified', `the assertion is refused: ${why}`);
}
