import { addressOptions, type CommandGroup, flag, folderOptions, value } from './option.ts';

const { data } = folderOptions;

/** Running a server and looking after its folder. */
export const runCommands: CommandGroup = {
  title: 'Run it',
  commands: [
    {
      words: 'serve',
      takes: '',
      says: 'start the server and print where to go',
      options: {
        ...(data === undefined ? {} : { data }),
        ...addressOptions,
        'time-zone': value('ZONE', "the owner's time zone, such as Europe/Berlin"),
        'trusted-proxy': value('ADDRESSES', 'reverse proxies that are believed about who calls'),
        'calls-per-minute': value('N', 'calls that one app may make (default: 2400)'),
        'work-per-minute': value('SECONDS', 'work that one app may cause (default: 40)'),
        connections: value('N', 'connections at once (default: 500)'),
        'audit-days': value('N', 'days that reads are kept for (default: 400)'),
        'audit-mb': value('N', 'megabytes that reads are kept in (default: 500)'),
        watch: value('DIR', 'a folder whose exports are imported as they appear'),
      },
      examples: ['serve', 'serve --public-url https://data.example --trusted-proxy 127.0.0.1'],
      load: async () => (await import('../serve.ts')).serve,
    },
    {
      words: 'doctor',
      takes: '',
      says: 'say what is wrong, what runs where, and what to do',
      options: folderOptions,
      examples: ['doctor'],
      load: async () => (await import('../doctor.ts')).doctor,
    },
    {
      words: 'verify',
      takes: '',
      says: 'compare every record and every entry of the audit',
      options: folderOptions,
      examples: ['verify'],
      load: async () => (await import('../verify.ts')).verify,
    },
    {
      words: 'backup',
      takes: 'FOLDER',
      says: 'copy everything into a new folder, also while the server runs',
      options: folderOptions,
      examples: ['backup ~/backups'],
      load: async () => (await import('../backup.ts')).backup,
    },
    {
      words: 'restore',
      takes: 'BACKUP',
      says: 'bring a backup back, whole or not at all',
      options: {
        ...folderOptions,
        force: flag('replace what is there; the old files are kept aside'),
        'keep-access': flag('let in again who was let in when the backup was made'),
      },
      examples: ['restore ~/backups/pdpp-2026-11-16 --force'],
      load: async () => (await import('../restore.ts')).restore,
    },
  ],
};
