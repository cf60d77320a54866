/** The configuration that `nameglass init` writes: what was chosen, with comments; nothing that has its default. */
import { describeSettings, type EffectiveSetting } from '../../config.ts';
import { previewDays } from '../../product/detect/monitor/dry-run.ts';
import { settingsYaml, type YamlSetting } from '../settings/settings-yaml.ts';
import type { Answers } from './answers.ts';
import type { CheckedSource } from './check-answers.ts';

export interface ConfigurationParts {
  readonly answers: Answers;
  readonly checks: readonly CheckedSource[];
  /** Of `--set` and `--allow`. */
  readonly extra: readonly EffectiveSetting[];
  /** `2026-11-16` */
  readonly day: string;
  readonly version: string;
}

const titles = {
  http: 'Where the server listens. Put a proxy with TLS in front before you open it to the network (docs/install.md).',
  mail: 'Sends sign-in links, invitations and digests.',
  sources: 'Where new names come from (docs/sources.md).',
  collect: 'Which domains are probed, and how (docs/collectors.md).',
  risk: 'Lists of known bad, good and popular domains (docs/risk.md).',
};

export function configurationYaml(parts: ConfigurationParts): string {
  const chosen = [...settingsOf(parts), ...extraOf(parts.extra)];
  const byKey = new Map(chosen.toReversed().map((one) => [one.key, one]));
  // Every setting of a group stands with its group.
  const ordered = describeSettings().flatMap(({ key }) => byKey.get(key) ?? []);
  const head = `# Configuration of Nameglass, written by nameglass init ${parts.version} on ${parts.day}. It names what differs from the defaults;
# nameglass config --describe explains every setting, nameglass config --config FILE checks this file.
`;
  return `${head}\n${settingsYaml(ordered, titles)}`;
}

function setting(key: string, value: unknown, ...comments: readonly string[]): YamlSetting {
  return { key, value, comments, isActive: true };
}

function settingsOf({ answers, checks }: ConfigurationParts): readonly YamlSetting[] {
  const { data, host, port, publicUrl, probesAll, mail } = answers;
  const isBehindProxy =
    publicUrl !== '' && (host.startsWith('127.') || host === '::1' || host === 'localhost');
  return [
    setting('data', data, 'Everything that is stored. Back it up: nameglass backup.'),
    setting('http.host', host),
    setting('http.port', port),
    ...(publicUrl === ''
      ? []
      : [setting('http.publicUrl', publicUrl, 'What clients use; links are made from it.')]),
    ...(isBehindProxy
      ? [
          setting(
            'http.trustProxy',
            ['127.0.0.1', '::1'],
            'The proxy on this machine reports the addresses of clients.',
          ),
        ]
      : []),
    ...(mail
      ? Object.entries(mail.server)
          .filter(([name, value]) => value !== '' || name === 'host')
          .map(([name, value]) => setting(`mail.${name}`, value))
      : []),
    ...sourceSettings(answers, checks),
    ...(answers.logs.length === 0
      ? []
      : [
          setting(
            'sources.namesDays',
            previewDays,
            'Names of so many days are kept for the first search of a new monitor; 0 keeps all, which grows without end.',
          ),
        ]),
    setting(
      'collect.newDomains',
      probesAll,
      probesAll
        ? 'Every new domain is probed, as fast as collect.domainsPerSecond allows; each takes some 4 kB of disk.'
        : 'Only domains on a watchlist are probed. With true every new domain is, which takes much more disk (docs/sizing.md).',
    ),
  ];
}

/** Each list of sources with the failing ones: unreachable ones are kept, wrong ones are comments. */
function sourceSettings(answers: Answers, checks: readonly CheckedSource[]): readonly YamlSetting[] {
  const all: readonly (readonly [
    key: string,
    items: readonly { readonly name: string }[],
    comment: string,
  ])[] = [
    [
      'sources.certificateLogs',
      answers.logs.map(({ log }) => log),
      'A name is kept for good: the position in the log is stored under it. New logs open twice a year.',
    ],
    ['sources.zoneFiles', answers.zoneFiles, 'Read again when they change; new delegations are new domains.'],
    ['sources.nameLists', answers.nameLists, 'Read again when they change.'],
    ['risk.lists', answers.reputationLists, 'Read again when they change.'],
  ];
  return all
    .filter(([, items]) => items.length > 0)
    .map(([key, items, comment]) => {
      const wrong = new Map(
        checks
          .filter((one) => one.key === key && one.check.state === 'wrong')
          .map(({ name, check }) => [name, check.detail]),
      );
      return {
        ...setting(
          key,
          items.filter(({ name }) => !wrong.has(name)),
          comment,
        ),
        inactiveItems: items
          .filter(({ name }) => wrong.has(name))
          .map((value) => ({ value, reason: `Not followed: ${wrong.get(value.name)}` })),
      };
    });
}

function extraOf(extra: readonly EffectiveSetting[]): readonly YamlSetting[] {
  return extra.map(({ key, value, description }) => setting(key, value, description));
}
