import { isIP } from 'node:net';
import { isSpecialAddress } from '../network/special-address.ts';
import type { FormatCommand } from '../text/hint.ts';
import type { Step } from './connect-guide.ts';

/** Where the server can be reached from, according to its address. */
export type Place = 'this_computer' | 'own_network' | 'plain_http' | 'other_port' | 'internet';

export interface Reachability {
  readonly place: Place;
  /** Null if every app should be able to connect. */
  readonly warning: { readonly title: string; readonly text: string } | null;
}

/** Whether an app can connect. `perhaps` means that it may refuse. */
export interface Verdict {
  readonly works: 'yes' | 'perhaps' | 'no';
  readonly text: string;
}

const LOCAL_NAMES = /(^|\.)(local|lan|internal|intranet|home|home\.arpa|corp|private)$/;

const warnings: Record<Place, Reachability['warning']> = {
  internet: null,
  this_computer: {
    title: 'This address works on this computer only.',
    text: 'Apps on this computer can use it, such as Claude Code, Codex, Claude Desktop, Cursor and VS Code. ChatGPT and Claude on the web need a public HTTPS address.',
  },
  own_network: {
    title: 'This address works inside your network only.',
    text: 'Apps in your network can use it. ChatGPT and Claude on the web need a public HTTPS address.',
  },
  plain_http: {
    title: 'This address does not use HTTPS.',
    text: 'Data would be sent unencrypted, and many apps refuse to sign in. Put pdpp behind HTTPS and start it with the https address.',
  },
  other_port: {
    title: 'This address uses a non-standard port.',
    text: 'Apps on your computers can use it. ChatGPT and Claude on the web need HTTPS on port 443.',
  },
};

/** Classifies the address of the server, with a warning if some apps cannot use it. */
export function classifyAddress(publicUrl: string): Reachability {
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

/** Returns whether apps on the owner's computers can connect. */
export function checkLocalApp(place: Place): Verdict {
  switch (place) {
    case 'this_computer':
      return { works: 'yes', text: 'Works on this computer.' };
    case 'own_network':
      return { works: 'yes', text: 'Works inside your network.' };
    case 'plain_http':
      return { works: 'perhaps', text: 'May refuse to sign in because the address does not use HTTPS.' };
    case 'other_port':
    case 'internet':
      return { works: 'yes', text: 'Works on any of your computers.' };
  }
}

/** Returns whether apps on their maker's servers can connect. */
export function checkHostedApp(place: Place): Verdict {
  return place === 'internet'
    ? { works: 'yes', text: 'Works if this address is reachable from the internet.' }
    : { works: 'no', text: 'Cannot reach this server. It needs a public HTTPS address on port 443.' };
}

/** Instructions for getting a public HTTPS address. */
export interface Recipe {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** Lists ways to make the server reachable from the internet. Empty if it already is. */
export function listRecipes(port: number, place: Place, formatCommand: FormatCommand): Recipe[] {
  if (place === 'internet') return [];
  const serve = (url: string) => formatCommand('serve', `--public-url ${url} --trusted-proxy 127.0.0.1,::1`);
  return [
    {
      title: 'Reverse proxy with your own domain',
      steps: [
        {
          text: 'Point your domain at this machine and open ports 80 and 443. Caddy gets the certificate:',
          copy: `caddy reverse-proxy --from https://data.example --to 127.0.0.1:${port}`,
        },
        { text: 'Start pdpp with that address:', copy: serve('https://data.example') },
      ],
    },
    {
      title: 'Tunnel',
      steps: [
        {
          text: 'For testing. Needs no domain and no open port. The printed address changes each time:',
          copy: `cloudflared tunnel --url http://127.0.0.1:${port}`,
        },
        {
          text: 'Start pdpp with the printed address:',
          copy: serve('https://NAME.trycloudflare.com'),
        },
      ],
    },
    {
      title: 'Home server',
      steps: [
        {
          text: 'Run pdpp on a machine that is always on, with a permanent address:',
          copy: `tailscale funnel --bg ${port}`,
        },
        { text: 'Start pdpp there with that address:', copy: serve('https://NAME.TAILNET.ts.net') },
      ],
    },
  ];
}
