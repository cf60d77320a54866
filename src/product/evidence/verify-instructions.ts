/** The text of VERIFY.txt: how to check a pack with programs that everybody has. */
export function verifyInstructions(fingerprint: string): string {
  return `How to check this evidence pack
===============================

1. The signature. manifest.json is signed with Ed25519 (OpenSSL 3 or later):

   openssl pkeyutl -verify -pubin -inkey public-key.pem -rawin \\
     -in manifest.json -sigfile manifest.json.sig

   It prints "Signature Verified Successfully".

2. The key. Ask the sender, by another way than the one by which this pack
   arrived, for the fingerprint of their key. It must be the one that

   openssl pkey -pubin -in public-key.pem -outform DER | sha256sum

   prints. According to this pack it is

   ${fingerprint}

3. The files. All of them are listed in manifest.json and SHA256SUMS:

   sha256sum --check SHA256SUMS

   Files that are not listed there do not belong to the pack. SHA256SUMS does
   not list itself; its checksum is in manifest.json, which is signed.

Or all of it in one step, offline, with Nameglass:

   nameglass evidence verify PACK.zip --key public-key-of-the-sender.pem

What the files are: evidence.json has all findings for programs, report.pdf
the same for people. raw/ has what servers answered, and manifest.json says for
each file which server was asked for what. Its times are those at which the
round of probes began, which may be some seconds before the answer.
Answers marked "truncated" were cut off at a limit of the installation. RDAP
answers and certificates are the bytes received. Answers of DNS are what the
resolver library read, as JSON; WHOIS answers were converted to UTF-8; heads of
HTTP responses were put together again from the status and headers as received.
Bodies of web pages are as transferred: if the header file beside names a content encoding, they are
compressed with it.
`;
}
