/** What the format of a receiver needs, and what belongs to other formats. */
import { X509Certificate } from 'node:crypto';
import {
  isSyslogFormat,
  isWebhookFormat,
  type MessageFormat,
  type ReceiverOptions,
} from '../../../model/detect/alert/receiver.ts';
import { findSyslogTarget } from '../../../model/detect/alert/syslog/target.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { sealToken } from './receiver-token.ts';

export interface RequestedOptions {
  /** Of Splunk. */
  readonly token?: string | undefined;
  readonly index?: string | undefined;
  readonly sourcetype?: string | undefined;
  /** CA certificates in PEM, for syslog over TLS. */
  readonly ca?: string | undefined;
}

export interface OptionsRequest {
  readonly webhook?: string | undefined;
  readonly email?: string | undefined;
  readonly syslog?: string | undefined;
  readonly format?: MessageFormat | undefined;
  readonly options?: RequestedOptions | undefined;
}

/** Goes into a header, so neither line breaks nor other letters. */
const tokenForm = /^[!-~]{1,200}$/;
/** https://docs.splunk.com: lower-case letters, digits, underscores and hyphens. */
const indexForm = /^[a-z0-9_][a-z0-9_-]{0,79}$/;
const sourcetypeForm = /^[A-Za-z0-9_:.-]{1,80}$/;
const caCharactersMax = 50_000;

/** Throws `invalid-parameters` for what the format has no use for. */
export function getOptions(request: OptionsRequest, linkKey: Buffer): ReceiverOptions {
  const { webhook, email, syslog, format, options = {} } = request;
  if (format !== undefined) {
    if (email !== undefined) throw refused('format', 'applies to webhooks and syslog only');
    if (webhook !== undefined && !isWebhookFormat(format))
      throw refused('format', `${format} is for syslog only`);
    if (syslog !== undefined && !isSyslogFormat(format))
      throw refused('format', `${format} is for webhooks only`);
  }
  for (const name of ['token', 'index', 'sourcetype'] as const)
    if (options[name] !== undefined && format !== 'splunk')
      throw refused(name, 'applies to the format splunk only');
  if (options.ca !== undefined && !findSyslogTarget(syslog ?? '')?.isSecure)
    throw refused('ca', 'applies to syslog over TLS only');
  if (format === 'splunk') return splunkOptions(webhook ?? '', options, linkKey);
  return options.ca === undefined ? {} : { ca: getCertificates(options.ca) };
}

function splunkOptions(webhook: string, options: RequestedOptions, linkKey: Buffer): ReceiverOptions {
  const { token = '', index, sourcetype } = options;
  if (!tokenForm.test(token)) throw refused('token', 'must be the token of an HTTP Event Collector');
  if (index !== undefined && !indexForm.test(index))
    throw refused('index', 'must have 1 to 80 lower-case letters, digits, underscores and hyphens');
  if (sourcetype !== undefined && !sourcetypeForm.test(sourcetype))
    throw refused('sourcetype', 'must have 1 to 80 letters, digits, colons, dots, underscores and hyphens');
  return {
    sealedToken: sealToken(token, webhook, linkKey),
    ...(index === undefined ? {} : { index }),
    ...(sourcetype === undefined ? {} : { sourcetype }),
  };
}

const certificateForm = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Certificates alone: a private key that was pasted with them is not kept. */
function getCertificates(pem: string): string {
  const found = pem.length > caCharactersMax ? [] : (pem.match(certificateForm) ?? []);
  if (!found.every(isCertificate)) throw refused('ca', 'has a certificate that cannot be read');
  if (found.length === 0) throw refused('ca', 'must have one or more certificates in PEM');
  return `${found.join('\n')}\n`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function refused(field: string, message: string) {
  return fieldProblem('invalid-parameters', field, message);
}
