/** The media type of TAXII 2.1 (1.6.8), which a client must name in `Accept`, and in `Content-Type` where it sends a body. */
import { Problem } from '../../model/problem.ts';

export const taxiiType = 'application/taxii+json;version=2.1';
export const stixType = 'application/stix+json;version=2.1';

/** Without a version it is the newest that the server has. */
const accepted = /^application\/taxii\+json(?:;version="?2\.1"?)?$/;

export function checkAccept(accept: string | undefined): void {
  if (namesTaxii(accept)) return;
  throw mediaProblem('Accept', `The header Accept must name ${taxiiType}.`);
}

export function checkContentType(contentType: string | undefined): void {
  if (namesTaxii(contentType)) return;
  throw mediaProblem('Content-Type', `The header Content-Type must be ${taxiiType}.`);
}

/** Whether a problem is about the body of a request rather than about the answer. */
export function isAboutContent({ fields }: Problem): boolean {
  return fields?.['Content-Type'] !== undefined;
}

function mediaProblem(field: string, message: string): Problem {
  return new Problem('not-acceptable', message, { fields: { [field]: [message] } });
}

/** Weights are for a choice, and there is none here; a weight of 0 declines. */
function namesTaxii(header = ''): boolean {
  return header.split(',').some((range) => {
    const parts = range
      .toLowerCase()
      .split(';')
      .map((part) => part.trim().replaceAll(/\s*=\s*/g, '='));
    const weight = parts.find((part) => part.startsWith('q='));
    const rest = parts.filter((part) => !part.startsWith('q=')).join(';');
    return accepted.test(rest) && !/^q=0(?:\.0*)?$/.test(weight ?? '');
  });
}
