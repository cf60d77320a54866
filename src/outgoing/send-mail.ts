/**
 * Hands a letter to the mail server of the settings. That one is the operator's own choice and mostly on the same network, so unlike
 * every other connection this one is not judged.
 */
import { createTransport } from 'nodemailer';
import { isMailAddress } from '../model/mail-address.ts';
import { Problem } from '../model/problem.ts';
import type { Settings } from '../model/settings.ts';

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same letter sent again has the same id, by which mail programs show it once. */
  readonly id: string;
}

/** Throws the Problem `unavailable` where the server did not take it, `invalid-parameters` for an address that is not one. */
export type SendMail = (letter: Letter) => Promise<void>;

export interface MailNeeds {
  readonly settings: Pick<Settings, 'mail'>;
  readonly timeoutMs: number;
  /** Certificates to trust in place of the usual ones. */
  readonly ca?: string;
}

export function mailSender({ settings, timeoutMs, ca }: MailNeeds): SendMail {
  const { host, port, security, username, password, from } = settings.mail;
  return async ({ to, subject, text, html, id }) => {
    if (!isMailAddress(to)) throw new Problem('invalid-parameters', 'the recipient has no plain address');
    const transport = createTransport({
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(username === '' ? {} : { auth: { user: username, pass: password } }),
      tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const message = {
      envelope: { from, to: [to] },
      from: { name: 'Nameglass', address: from },
      to: { name: '', address: to },
      subject,
      text,
      html,
      messageId: `<${id}@nameglass>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    try {
      await within(transport.sendMail(message), 2 * timeoutMs);
    } catch (error) {
      throw new Problem('unavailable', (error as Error).message, { cause: error });
    } finally {
      transport.close();
    }
  };
}

/** A server that sends a little now and then is never silent for long, and never done either. */
async function within(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the mail server took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
