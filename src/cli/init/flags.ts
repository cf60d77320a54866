/** The flags of `nameglass init`: one for every question. */
import type { Command } from 'commander';
import type { SettingsOptions } from '../settings-options.ts';

export interface InitFlags extends SettingsOptions {
  readonly protect?: string;
  readonly own?: string;
  readonly logs?: string;
  readonly logList?: string;
  readonly zones?: string;
  readonly names?: string;
  readonly lists?: string;
  readonly probe?: string;
  readonly mailHost?: string;
  readonly mailPort?: string;
  readonly mailSecurity?: string;
  readonly mailUser?: string;
  readonly mailPasswordFile?: string;
  readonly mailFrom?: string;
  readonly alertsTo?: string;
  readonly publicUrl?: string;
  readonly username?: string;
  readonly allow?: string;
  readonly check: boolean;
  readonly yes?: boolean;
}

export function withInitFlags(command: Command): Command {
  return command
    .option('--protect <terms>', 'brand names to protect, separated by commas')
    .option('--own <domains>', 'your own domains, which are never reported')
    .option('--logs <operators>', 'certificate logs to follow: all, none, or names of operators')
    .option('--log-list <location>', 'path or URL of the list of certificate logs')
    .option('--zones <directory>', 'directory of zone files, such as org.zone.gz')
    .option('--names <locations>', 'lists of names: paths or URLs')
    .option('--lists <lists>', 'reputation lists: LABEL=LOCATION, or majestic, crux')
    .option('--probe <which>', 'which new domains are probed: all or lookalikes')
    .option('--mail-host <host>', 'SMTP server')
    .option('--mail-port <number>', 'port of the SMTP server')
    .option('--mail-security <kind>', 'starttls, tls or none')
    .option('--mail-user <name>', 'user name for the SMTP server')
    .option('--mail-password-file <file>', 'file that holds the password; - reads standard input')
    .option('--mail-from <address>', 'sender of mail')
    .option('--alerts-to <address>', 'who gets a daily digest of what was found')
    .option('--host <address>', 'address to listen on (http.host)')
    .option('--port <number>', 'port to listen on (http.port)')
    .option('--public-url <url>', 'scheme and host that clients use, if a proxy is in front')
    .option('--username <name>', 'first user, with all permissions; none creates no account')
    .option('--allow <ranges>', 'private addresses that sources may be at (collect.allow)')
    .option('--no-check', 'do not check whether the sources answer')
    .option('--yes', 'ask nothing: flags, and defaults for the rest');
}
