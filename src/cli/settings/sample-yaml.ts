/** Every setting as a commented YAML file: those in force by a file, variable or flag as settings, the others as comments with their default. */
import { describeSettings, type EffectiveSetting } from '../../config.ts';
import { shownValue } from './settings-text.ts';
import { settingsYaml } from './settings-yaml.ts';

const head = `# Settings of Nameglass. Everything that is a comment has its default: remove the "#" before a setting to change it.
# nameglass serve --config FILE reads this file; nameglass config --config FILE checks it.
# nameglass init writes a shorter one for your own brands and sources.
`;

export function sampleYaml(effective: readonly EffectiveSetting[]): string {
  const described = new Map(describeSettings().map((one) => [one.key, one]));
  const settings = effective.map((setting) => ({
    key: setting.key,
    value: shownValue(setting),
    comments: [`${setting.description} (${described.get(setting.key)?.type})`],
    isActive: setting.origin !== 'default' && !setting.secret,
  }));
  return `${head}\n${settingsYaml(settings)}`;
}
