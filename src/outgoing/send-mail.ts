/**
 * Sends mail through the SMTP server of the settings. The operator chose that server, usually on a private network, so it is exempt
 * from the SSRF guard.
 */
import { isMailAddress } from '../model/mail-address.ts';
import { Problem } from '../model/problem.ts';
import type { Settings } from '../model/settings/settings.ts';

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The Message-ID: a repeated send keeps it, so mail programs show the message once. */
  readonly id: string;
}

/** Throws the Problem `unavailable` where the server did not accept it, `invalid-parameters` for an invalid address. */
export type SendMail = (message: MailMessage) => Promise<void>;

export interface MailNeeds {
  readonly settings: Pick<Settings, 'mail'>;
  readonly timeoutMs: number;
  /** CA certificates to trust in place of the system's. */
  readonly ca?: string;
}

export function mailSender(needs: MailNeeds): SendMail {
  const { settings, timeoutMs } = needs;
  const { from, host } = settings.mail;
  // Now rather than with the first message, for which everything else would wait.
  if (host !== '') void loadLibrary();
  return async ({ to, subject, text, html, id }) => {
    if (!isMailAddress(to))
      throw new Problem('invalid-parameters', 'the recipient is not a plain mail address');
    const transport = await openTransport(needs);
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

/** Connects, encrypts and authenticates, and sends nothing. Throws the Problem `unavailable` where one of them fails. */
export async function verifyMailServer(needs: MailNeeds): Promise<void> {
  const transport = await openTransport(needs);
  try {
    await within(transport.verify(), 2 * needs.timeoutMs);
  } catch (error) {
    throw new Problem('unavailable', (error as Error).message, { cause: error });
  } finally {
    transport.close();
  }
}

/** Ten megabytes that a server without mail does not spend. */
const loadLibrary = () => import('nodemailer');

async function openTransport({ settings, timeoutMs, ca }: MailNeeds) {
  const { createTransport } = await loadLibrary();
  const { host, port, security, username, password } = settings.mail;
  return createTransport({
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
}

/** An overall deadline: a server that keeps sending a little resets the socket timeout forever. */
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
