/** Parts that the inputs of several tools share. Descriptions are read by models: they are short, and have an example. */
import { type TProperties, Type } from 'typebox';

export const input = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

export const Domain = Type.String({
  minLength: 3,
  maxLength: 2048,
  description: 'domain, host, URL or e-mail address, also defanged: example.com, hxxps://login[.]example',
});

export const Cursor = Type.Optional(
  Type.String({
    maxLength: 512,
    description: 'cursor of the previous answer: the next page; all else unchanged',
  }),
);

export const limitOf = (standard: number, maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, default: standard, description: 'rows' }));

export const choiceOf = <const Choice extends string>(choices: readonly Choice[], description: string) =>
  Type.Unsafe<Choice>({ type: 'string', enum: [...choices], description });

export const Time = (description: string) =>
  Type.Optional(
    Type.String({ maxLength: 40, description: `${description}: 2026-03-04 or 2026-03-04T10:00:00Z` }),
  );
