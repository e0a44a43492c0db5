import { join } from 'node:path';
import { SERVICE_NAME, type ServicePlatform } from './service-definition.ts';

const LABEL = SERVICE_NAME;

/** A launch agent of the user. */
export const launchd: ServicePlatform = {
  title: 'launchd',
  logFile: (home) => join(home, 'Library', 'Logs', 'pdpp.log'),
  file: ({ home }) => join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`),
  format: ({ words, home, logFile }) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escapeXml(word)}</string>`).join('\n')}
  </array>
  <key>WorkingDirectory</key>
  <string>${escapeXml(home)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>30</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>${escapeXml(logFile)}</string>
  <key>StandardErrorPath</key>
  <string>${escapeXml(logFile)}</string>
</dict>
</plist>
`,
  install: (file) => [
    { words: ['launchctl', 'bootout', `gui/${userId()}/${LABEL}`], mayFail: true },
    { words: ['launchctl', 'bootstrap', `gui/${userId()}`, file] },
  ],
  remove: () => [{ words: ['launchctl', 'bootout', `gui/${userId()}/${LABEL}`], mayFail: true }],
  get status() {
    return { words: ['launchctl', 'print', `gui/${userId()}/${LABEL}`], mayFail: true } as const;
  },
  logs: ({ logFile }, lines) => ({ words: ['tail', '-n', String(lines), logFile] }),
  note: 'It starts when you sign in.',
};

function userId(): number {
  return process.getuid?.() ?? 0;
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
