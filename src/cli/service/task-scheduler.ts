import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { escapeXml } from './launchd.ts';
import { SERVICE_NAME, type ServicePlatform } from './service-definition.ts';

/** A task of the Task Scheduler, which starts when the user signs in. It runs in cmd, which writes the log to a file. */
export const taskScheduler: ServicePlatform = {
  title: 'Task Scheduler',
  logFile: (home) => join(home, 'AppData', 'Local', 'pdpp', 'server.log'),
  file: ({ home }) => join(home, 'AppData', 'Local', 'pdpp', `${SERVICE_NAME}.xml`),
  format: ({ words, home, logFile }) => `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>pdpp: your own data, for the AI apps you choose</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
    </LogonTrigger>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Hidden>true</Hidden>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>10</Count>
    </RestartOnFailure>
  </Settings>
  <Actions>
    <Exec>
      <Command>cmd.exe</Command>
      <Arguments>${escapeXml(`/d /s /c "${words.map(quoteForCmd).join(' ')} >> ${quoteForCmd(logFile)} 2>&1"`)}</Arguments>
      <WorkingDirectory>${escapeXml(home)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`,
  install: (file) => [
    { words: ['schtasks', '/Create', '/F', '/TN', SERVICE_NAME, '/XML', file] },
    { words: ['schtasks', '/End', '/TN', SERVICE_NAME], mayFail: true },
    { words: ['schtasks', '/Run', '/TN', SERVICE_NAME] },
  ],
  remove: () => [
    { words: ['schtasks', '/End', '/TN', SERVICE_NAME], mayFail: true },
    { words: ['schtasks', '/Delete', '/F', '/TN', SERVICE_NAME], mayFail: true },
  ],
  status: { words: ['schtasks', '/Query', '/V', '/FO', 'LIST', '/TN', SERVICE_NAME], mayFail: true },
  logs: ({ logFile }, lines) => ({
    words: [
      ...(['powershell', '-NoProfile', '-Command'] as const),
      `Get-Content -Tail ${lines} -LiteralPath '${logFile.replaceAll("'", "''")}'`,
    ],
  }),
  note: 'It starts when you sign in.',
};

/** Quotes a word for cmd, which replaces %NAME% also inside quotes and has no escape for it. */
function quoteForCmd(word: string): string {
  if (/["%\r\n]/.test(word))
    throw new AppError('invalid_argument', 'A path or setting of a service cannot contain % or ".', {
      hint: 'Use another path.',
    });
  return `"${word}"`;
}
