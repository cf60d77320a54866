/** Settings for people, on a terminal of 80 columns: `key = value  # from …`, and under it what it means. */
import { describeSettings, type EffectiveSetting } from '../../config.ts';
import { wrapText } from './wrap-text.ts';

const indent = '    ';

/** Secrets are hidden; a default is none. */
export function shownValue({ secret, value, origin }: EffectiveSetting): unknown {
  return secret && value !== '' && origin !== 'default' ? '(hidden)' : value;
}

export function settingsText(effective: readonly EffectiveSetting[], width: number): string {
  const described = new Map(describeSettings().map((one) => [one.key, one]));
  return effective
    .map((setting) => {
      const { type = '', environment = '' } = described.get(setting.key) ?? {};
      const value = `${setting.key} = ${JSON.stringify(shownValue(setting))}`;
      const from = `# from ${setting.origin}`;
      const isShort = value.length + 2 + from.length <= width;
      const below = [setting.description, `${type}; ${environment}`].flatMap((text) =>
        wrapText(text, width - indent.length),
      );
      const first = isShort ? [`${value}  ${from}`] : [...brokenValue(value, width), `${indent}${from}`];
      return [...first, ...below.map((line) => indent + line)].join('\n');
    })
    .join('\n\n');
}

/** A long value goes on in further lines, broken wherever they are full. */
function brokenValue(text: string, width: number): readonly string[] {
  const lines = [text.slice(0, width)];
  const room = width - indent.length;
  for (let at = width; at < text.length; at += room) lines.push(indent + text.slice(at, at + room));
  return lines;
}
