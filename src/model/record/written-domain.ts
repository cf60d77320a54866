/** The domain name in what somebody pasted: as it is, defanged (`login[.]example`), or within a URL or an e-mail address. */
import { findDomainName } from './requested-domains.ts';

const textMax = 2048;

/** In punycode. */
export function findWrittenDomain(text: string): string | undefined {
  const whole = refang(text.slice(0, textMax).trim());
  return findDomainName(whole) ?? findDomainName(hostWithin(whole));
}

function refang(text: string): string {
  return text
    .replaceAll(/\[(:?\/\/)\]/g, '$1')
    .replaceAll(/\[(?:\.|dot)\]|\((?:\.|dot)\)|\{(?:\.|dot)\}/gi, '.')
    .replaceAll(/\[(?:@|at)\]|\((?:@|at)\)/gi, '@')
    .replaceAll('[:]', ':');
}

function hostWithin(text: string): string {
  const [, host = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/|mailto:)?(?:[^\s/?#@]*@)?([^\s/?#:@]+)(?::\d*)?(?:[/?#].*)?$/is.exec(text) ??
    [];
  return host;
}
