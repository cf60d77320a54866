/** Validates the input of tools by our own validator, which names the field in what it answers. */
import { Ajv, type ErrorObject } from 'ajv';

type Validated<Value> =
  | { valid: true; data: Value; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

/** The schemas are ours: compiling the schema of schemas first, to check them, would take 40 ms. */
const ajv = new Ajv({ allErrors: false, strict: false, meta: false, validateSchema: false });

/** In the form that the protocol's library expects. Compiled with the first call. */
export const jsonSchemaValidator = {
  getValidator<Value>(schema: object): (input: unknown) => Validated<Value> {
    let validate: ReturnType<Ajv['compile']> | undefined;
    return (input) => {
      validate ??= ajv.compile(schema);
      if (validate(input)) return { valid: true, data: input as Value, errorMessage: undefined };
      return { valid: false, data: undefined, errorMessage: messageOf(validate.errors?.[0]) };
    };
  },
};

function messageOf(error: ErrorObject | undefined): string {
  if (!error) return 'is not valid';
  const { keyword, params, instancePath, message = 'is not valid' } = error;
  if (keyword === 'required') return `${String(params['missingProperty'])}: is required`;
  // A name that was made up is not repeated.
  if (keyword === 'additionalProperties') return 'has a member that this tool does not know';
  const field = instancePath.slice(1).replaceAll('/', '.');
  const allowed = keyword === 'enum' ? `: ${(params['allowedValues'] as unknown[]).join(', ')}` : '';
  return `${field}: ${message}${allowed}`;
}
