/**
 * Ends a file of system tests that is not done in time, with everything that it started, so that the others still run: what hangs then fails,
 * under its name. The longest file takes eight minutes on two processors that three of them share, and twice that on a slow machine.
 */
import { describeProcesses, endByForce, processesBelow } from './processes-below.ts';

const limitMinutes = 30;

const isFile = process.env['NODE_TEST_CONTEXT'] !== undefined;

if (isFile)
  setTimeout(() => {
    const left = processesBelow(process.pid);
    process.stderr.write(
      `not done after ${limitMinutes} minutes: ${process.argv[1]}\n${describeProcesses(left)}`,
    );
    endByForce(left);
    process.exit(1);
  }, limitMinutes * 60_000).unref();
