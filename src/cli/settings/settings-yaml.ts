/** Settings as a YAML file with comments, which `--config` reads. A setting may be written as a comment, ready to be uncommented. */
import { stringify } from 'yaml';
import { wrapText } from './wrap-text.ts';

export interface YamlSetting {
  readonly key: string;
  readonly value: unknown;
  /** Sentences above the setting. */
  readonly comments: readonly string[];
  /** Otherwise it is a comment. */
  readonly isActive: boolean;
  /** Items of a list that are comments, each with the reason above it. */
  readonly inactiveItems?: readonly { readonly value: unknown; readonly reason: string }[];
}

const width = 100;
const step = '  ';

/** `titles` are comments above the groups at the top, by their name. */
export function settingsYaml(
  settings: readonly YamlSetting[],
  titles: Readonly<Record<string, string>> = {},
): string {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const setting of settings) {
    const groups = setting.key.split('.').slice(0, -1);
    const same = groups.findIndex((group, at) => group !== open[at]);
    const from = same < 0 ? groups.length : same;
    if (from === 0 || open.length === 0) lines.push('');
    for (const [at, group] of groups.entries()) {
      if (at < from) continue;
      const title = at === 0 ? titles[group] : undefined;
      if (title !== undefined) lines.push(...wrapText(title, width - 2).map((line) => `# ${line}`));
      lines.push(`${step.repeat(at)}${group}:`);
    }
    lines.push(...settingLines(setting, step.repeat(groups.length)));
    open = groups;
  }
  return `${lines.join('\n').trim()}\n`;
}

function settingLines(setting: YamlSetting, indent: string): readonly string[] {
  const { key, value, comments, isActive, inactiveItems = [] } = setting;
  const name = key.split('.').at(-1) ?? key;
  const comment = (text: string, at: string) =>
    wrapText(text, Math.max(40, width - at.length - 2)).map((line) => `${at}# ${line}`);
  const written = valueLines(name, value, inactiveItems.length > 0);
  const prefix = isActive ? indent : `${indent}#`;
  return [
    ...comments.flatMap((text) => comment(text, indent)),
    ...written.map((line) => prefix + line),
    ...inactiveItems.flatMap((item) => [
      ...comment(item.reason, indent + step),
      `${indent}${step}#- ${inline(item.value)}`,
    ]),
  ];
}

/** `name: value`, or for lists and maps of maps a line for each item. */
function valueLines(name: string, value: unknown, isBlock: boolean): readonly string[] {
  if (Array.isArray(value) && (isBlock || value.some(isObject)))
    return value.length === 0
      ? [`${name}:`]
      : [`${name}:`, ...value.map((item) => `${step}- ${inline(item)}`)];
  if (isObject(value) && Object.values(value).some(isObject))
    return [
      `${name}:`,
      ...Object.entries(value).map(([word, item]) => `${step}${JSON.stringify(word)}: ${inline(item)}`),
    ];
  return [`${name}: ${inline(value)}`];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inline(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim();
}
