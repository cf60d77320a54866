/** Checks of settings, and of what they need on this machine. */
import { containsAddress } from '../../model/address/address-list.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { findBrowser } from '../../pipeline/screenshots/find-browser.ts';
import { type Finding, finding, remark } from './finding.ts';

const loopback = ['127.0.0.0/8', '::1/128'];

export function settingsFindings({ http, auth }: Settings): Finding[] {
  const exposedTo = http.operatorAddresses.filter((range) => !loopback.includes(range));
  return [
    keysInTransit(http),
    finding(
      'only SHA-256 signatures are accepted',
      auth.signatureDigests.length === 0,
      'warn',
      'auth.signatureDigests allows weaker digests',
    ),
    finding(
      'metrics are restricted to the operator',
      exposedTo.length === 0,
      'warn',
      `/metrics is open to ${exposedTo.join(' ')}`,
    ),
  ];
}

function keysInTransit({ host, publicUrl }: Settings['http']): Finding {
  const check = 'API keys are encrypted in transit';
  if (publicUrl.startsWith('https:')) return finding(check, true, 'warn', '');
  if (host === 'localhost' || containsAddress(loopback, host))
    return remark(check, 'not encrypted, and loopback only: no other machine can connect');
  return finding(
    check,
    false,
    'warn',
    'the server listens on the network; put a TLS proxy in front and set http.publicUrl to an https URL',
  );
}

/** Without a browser everything works but pictures. */
export function browserFinding(settings: Settings): Finding {
  const check = 'there is a browser for screenshots';
  if (!settings.screenshots.enabled) return remark(check, 'screenshots.enabled is off');
  const advice = 'no Chromium was found; install the package chromium, or set screenshots.browser';
  try {
    return finding(check, findBrowser(settings) !== undefined, 'warn', advice);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return finding(check, false, 'warn', error.message);
  }
}
