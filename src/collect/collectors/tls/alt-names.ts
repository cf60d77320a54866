/**
 * Parses the subject alternative names that Node returns as one string: `DNS:a.example, IP Address:192.0.2.1`. Node quotes unusual
 * values as JSON, so that no value can pass for several.
 */

export interface AltNames {
  /** Host names and addresses. */
  readonly names: readonly string[];
  readonly emails: readonly string[];
}

const entryPattern = /([A-Za-z ]{1,40}):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/gy;
const namesMax = 500;
const emailsMax = 20;

export function altNamesOf(text: string | undefined): AltNames {
  const [names, emails]: [string[], string[]] = [[], []];
  for (const [, kind, written = ''] of (text ?? '').matchAll(entryPattern)) {
    const value = unquoted(written);
    if (value === '') continue;
    if ((kind === 'DNS' || kind === 'IP Address') && names.length < namesMax) names.push(value);
    else if (kind === 'email' && emails.length < emailsMax) emails.push(value);
  }
  return { names, emails };
}

function unquoted(written: string): string {
  if (!written.startsWith('"')) return written;
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}
