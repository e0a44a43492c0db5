import type { FormatCommand } from '../text/hint.ts';
import type { Step } from './connect-guide.ts';
import type { Place } from './reachability.ts';

/** One way to a public HTTPS address. */
export interface Recipe {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** How apps that call from the internet get to the server on a port of this computer. Empty where they already do. */
export function listRecipes(port: number, place: Place, formatCommand: FormatCommand): Recipe[] {
  if (place === 'internet') return [];
  const serve = (url: string) => formatCommand('serve', `--public-url ${url} --trusted-proxy 127.0.0.1,::1`);
  return [
    {
      title: 'A reverse proxy, with a name of your own',
      steps: [
        {
          text: 'Let the name lead to this machine, open ports 80 and 443, and start Caddy, which fetches the certificate:',
          copy: `caddy reverse-proxy --from https://data.example --to 127.0.0.1:${port}`,
        },
        { text: 'Start pdpp with that address:', copy: serve('https://data.example') },
      ],
    },
    {
      title: 'A tunnel, by one command',
      steps: [
        {
          text: 'Good for trying it: no name, no open port. It prints an https address, a new one each time:',
          copy: `cloudflared tunnel --url http://127.0.0.1:${port}`,
        },
        {
          text: 'Start pdpp with the address that was printed:',
          copy: serve('https://NAME.trycloudflare.com'),
        },
      ],
    },
    {
      title: 'A home server that is always on',
      steps: [
        {
          text: 'Keep pdpp and its folder on a machine that stays on, and give it an address that stays the same:',
          copy: `tailscale funnel --bg ${port}`,
        },
        { text: 'Start pdpp there with that address:', copy: serve('https://NAME.TAILNET.ts.net') },
      ],
    },
  ];
}
