import { isIP } from 'node:net';
import { isSpecialAddress } from '../oauth/documents/special-address.ts';
import type { FormatCommand } from '../text/hint.ts';
import type { Step } from './connect-guide.ts';

/** Where the address of this server leads, as far as the address itself can tell. */
export type Place = 'this_computer' | 'own_network' | 'plain_http' | 'other_port' | 'internet';

export interface Reachability {
  readonly place: Place;
  /** Nothing to say when every app can be expected to get here. */
  readonly warning: { readonly title: string; readonly text: string } | null;
}

/** Whether one app gets here. `perhaps` means that it may refuse. */
export interface Verdict {
  readonly works: 'yes' | 'perhaps' | 'no';
  readonly text: string;
}

const LOCAL_NAMES = /(^|\.)(local|lan|internal|intranet|home|home\.arpa|corp|private)$/;

const warnings: Record<Place, Reachability['warning']> = {
  internet: null,
  this_computer: {
    title: 'This address works on this computer only.',
    text: 'Apps that run here, such as Claude Code, Codex, Claude Desktop, Cursor and VS Code, can use it. ChatGPT and Claude on the web call from the internet and cannot, until pdpp has a public HTTPS address.',
  },
  own_network: {
    title: 'This address works inside your network only.',
    text: 'Apps on your computers can use it. ChatGPT and Claude on the web call from the internet and cannot, until pdpp has a public HTTPS address.',
  },
  plain_http: {
    title: 'This address is plain http.',
    text: 'What apps read would travel unencrypted, and many apps refuse to sign in. Put HTTPS in front of pdpp and start it with the https address.',
  },
  other_port: {
    title: 'This address has a port of its own.',
    text: 'Apps on your computers can use it. ChatGPT and Claude on the web only call HTTPS on port 443.',
  },
};

export function judgeAddress(publicUrl: string): Reachability {
  const place = findPlace(new URL(publicUrl));
  return { place, warning: warnings[place] };
}

function findPlace(url: URL): Place {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host)) {
    return 'this_computer';
  }
  const isPrivate = isIP(host) > 0 ? isSpecialAddress(host) : !host.includes('.') || LOCAL_NAMES.test(host);
  if (url.protocol === 'http:') return 'plain_http';
  if (isPrivate) return 'own_network';
  return url.port === '' ? 'internet' : 'other_port';
}

/** For apps that run on a computer of the owner's. */
export function judgeLocalApp(place: Place): Verdict {
  switch (place) {
    case 'this_computer':
      return { works: 'yes', text: 'Works on this computer.' };
    case 'own_network':
      return { works: 'yes', text: 'Works inside your network.' };
    case 'plain_http':
      return { works: 'perhaps', text: 'May refuse to sign in, because the address is plain http.' };
    case 'other_port':
    case 'internet':
      return { works: 'yes', text: 'Works on any of your computers.' };
  }
}

/** For apps whose maker's servers call us. */
export function judgeHostedApp(place: Place): Verdict {
  return place === 'internet'
    ? { works: 'yes', text: 'Works as long as this address can be opened from the internet.' }
    : { works: 'no', text: 'Cannot get here: it needs a public HTTPS address on port 443.' };
}

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
