/**
 * Ends a file of system tests that is not done in time, so that the others still run: what hangs then fails, under its name. The longest
 * file takes six minutes on two processors that three of them share.
 */
const limitMinutes = 15;

const isFile = process.env['NODE_TEST_CONTEXT'] !== undefined;

if (isFile)
  setTimeout(() => {
    process.stderr.write(`not done after ${limitMinutes} minutes: ${process.argv[1]}\n`);
    process.exit(1);
  }, limitMinutes * 60_000).unref();
