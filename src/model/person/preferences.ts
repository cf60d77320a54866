/** What a person has chosen for the web UI. */
import { type Static, Type } from 'typebox';

const oneOf = <Word extends string>(words: readonly Word[]) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words] });

export const preferencesSchema = Type.Object({
  theme: oneOf(['system', 'light', 'dark']),
  density: oneOf(['comfortable', 'compact']),
  zone: oneOf(['local', 'utc']),
  singleKeys: Type.Boolean(),
  guidedPivotThreshold: Type.Integer({ minimum: 1, maximum: 10_000 }),
});

export type Preferences = Readonly<Static<typeof preferencesSchema>>;

export const defaultPreferences: Preferences = {
  theme: 'system',
  density: 'comfortable',
  zone: 'local',
  singleKeys: true,
  guidedPivotThreshold: 500,
};
