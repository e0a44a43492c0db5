import { join } from 'node:path';
import { SERVICE_NAME, type ServicePlatform } from './service-definition.ts';

const UNIT = `${SERVICE_NAME}.service`;

/**
 * A unit of the user's own service manager. Options that need a mount namespace are left out: they fail in a user unit
 * where users may not create namespaces.
 */
export const systemd: ServicePlatform = {
  title: 'systemd',
  // The journal has the log.
  logFile: (home) => join(home, '.config', 'systemd', 'user', UNIT),
  file: ({ home }) => join(home, '.config', 'systemd', 'user', UNIT),
  format: ({ words }) => `[Unit]
Description=pdpp: your own data, for the AI apps you choose
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
ExecStart=${words.map(quoteWord).join(' ')}
Restart=on-failure
RestartSec=5
# A wrong setting, or a store that cannot be used: trying again does not help.
RestartPreventExitStatus=2 3
TimeoutStopSec=30
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native

[Install]
WantedBy=default.target
`,
  install: () => [
    { words: ['systemctl', '--user', 'daemon-reload'] },
    { words: ['systemctl', '--user', 'enable', UNIT] },
    // Also starts it again with new settings.
    { words: ['systemctl', '--user', 'restart', UNIT] },
  ],
  remove: () => [
    { words: ['systemctl', '--user', 'disable', '--now', UNIT], mayFail: true },
    { words: ['systemctl', '--user', 'daemon-reload'], mayFail: true },
  ],
  status: { words: ['systemctl', '--user', '--no-pager', '--lines=0', 'status', UNIT], mayFail: true },
  logs: (_, lines) => ({
    words: ['journalctl', '--user', '--no-pager', `--lines=${lines}`, `--user-unit=${UNIT}`],
  }),
  note: 'It starts when you sign in. To start it at boot, run once: loginctl enable-linger',
};

/** Quotes a word for ExecStart: % and $ are replaced by systemd, and backslashes are escapes. */
function quoteWord(word: string): string {
  const escaped = word
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('%', '%%')
    .replaceAll('$', () => '$$');
  return /^[\w@%+=:,./-]+$/.test(word) ? escaped : `"${escaped}"`;
}
