/**
 * Recognises redaction notices ("REDACTED FOR PRIVACY") in place of a value. As names they would link thousands of unrelated
 * domains.
 */

const wholly =
  /^(?:[-–—.*_<>()!/\\ ]*|n\/?a|null|none|nil|undefined|unknown|hidden|private|not (?:applicable|available|provided|defined|specified)|no (?:data|value|information)( available)?|tba|tbd)[.!*]*$/;

const openings = [
  'redacted',
  'data redacted',
  'registration data redacted',
  'data protected',
  'data not disclosed',
  'data not shown',
  'not disclosed',
  'not displayed',
  'not shown',
  'non-public data',
  'nonpublic data',
  'gdpr masked',
  'gdpr redacted',
  'statutory masking',
  'masked for privacy',
  'masked by',
  'withheld for privacy purposes',
  'information withheld',
  'personal data, can not be publicly disclosed',
  'hidden!',
  'hidden upon',
  'hidden details',
  'please query the r',
  'please ask the registrar',
  'please contact the registrar',
  'please refer to',
  'please visit',
  'select contact domain holder',
  'select request email form',
  'use registrar whois',
  'visit whois',
  'visit www',
  'ask whois',
  'contact the registrar',
  'identity protect limited redacted',
  'this information is not',
  'this data is not',
  'not public',
  'unavailable',
] as const;

export function isDisclosed(text: string): boolean {
  // Notices are recognised by how they begin.
  const lower = text
    .slice(0, 96)
    .toLowerCase()
    .replace(/^[<([*"' ]+/, '')
    .trim();
  return !wholly.test(lower) && !openings.some((opening) => lower.startsWith(opening));
}
