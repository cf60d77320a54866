/** How alerts leave the server: webhooks through the guarded dialer, digests through the configured mail server. */
import type { Settings } from '../../../model/settings/settings.ts';
import { createDialer } from '../../../outgoing/guarded-dialer.ts';
import { mailSender } from '../../../outgoing/send-mail.ts';
import type { SendNowNeeds } from './send-now.ts';

export function alertSenders(
  settings: Pick<Settings, 'detect' | 'mail' | 'outgoing'>,
): Pick<SendNowNeeds, 'dialer' | 'sendMail'> {
  const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
  return { dialer: createDialer({ settings }), sendMail: mailSender({ settings, timeoutMs }) };
}
