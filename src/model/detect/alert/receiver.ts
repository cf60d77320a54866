/** How the receiver of an alert wants its messages. */

/** `nameglass` is our own JSON, signed. */
export const webhookFormats = ['nameglass', 'slack', 'teams', 'mattermost', 'splunk'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** What is in the message of a syslog line: Common Event Format, or JSON of the Elastic Common Schema. */
export const syslogFormats = ['cef', 'ecs'] as const;
export type SyslogFormat = (typeof syslogFormats)[number];

export type MessageFormat = WebhookFormat | SyslogFormat;

export interface ReceiverOptions {
  /** Of Splunk; undefined for the defaults of the token. */
  readonly index?: string;
  readonly sourcetype?: string;
  /** Of Splunk, encrypted. */
  readonly sealedToken?: string;
  /** CA certificates, in PEM, to trust in place of the system's; of syslog over TLS. */
  readonly ca?: string;
}

export function isWebhookFormat(format: MessageFormat): format is WebhookFormat {
  return (webhookFormats as readonly string[]).includes(format);
}

export function isSyslogFormat(format: MessageFormat): format is SyslogFormat {
  return (syslogFormats as readonly string[]).includes(format);
}
