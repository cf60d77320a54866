import { foreign } from '../data/foreign.ts';
import { ServerError } from '../data/request.ts';
import { Text } from './text.tsx';

/** The server's sentence about what was just tried, where it was tried. */
export function FieldError({ error }: { error: unknown }) {
  if (!(error instanceof Error)) return null;
  return (
    <p className="field-error" role="alert">
      <Text of={error instanceof ServerError ? error.sentence : foreign(error.message)} />
    </p>
  );
}
