import { spawn } from 'node:child_process';

/**
 * Opens a page without a shell, so that nothing in the address is ever a command. Says whether a program
 * was started; whether it showed the page, nobody tells.
 */
export function openBrowser(page: URL, command: readonly string[] = systemCommand()): Promise<boolean> {
  if (!/^https?:$/.test(page.protocol)) throw new Error('only pages are opened');
  const [program, ...options] = command as [string, ...string[]];
  const filled = options.map((option) => option.replaceAll('%s', page.href));
  const started = spawn(program, options.includes('%s') ? filled : [...options, page.href], {
    stdio: 'ignore',
    detached: true,
  });
  return new Promise((resolve) => {
    started.once('error', () => resolve(false));
    started.once('spawn', () => {
      started.unref();
      resolve(true);
    });
  });
}

function systemCommand(): string[] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
