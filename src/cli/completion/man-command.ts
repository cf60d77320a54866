/** `nameglass man`: the manual page, shown by man(1) on a terminal and printed in a pipe. */
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { CliNeeds } from '../needs.ts';
import { treeOf } from './command-tree.ts';
import { manPage } from './man-page.ts';

export function addMan(program: Command, needs: CliNeeds): void {
  program.command('man').action(async () => {
    const { buildProgram } = await import('../run.ts');
    const page = manPage(treeOf(await buildProgram(needs)), needs.version);
    if (!process.stdout.isTTY || !(await showPage(page))) process.stdout.write(page);
  });
}

/** Whether there is a program that shows it. */
function showPage(page: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('man', ['-l', '-'], { stdio: ['pipe', 'inherit', 'inherit'] });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
    child.stdin.on('error', () => undefined).end(page);
  });
}
