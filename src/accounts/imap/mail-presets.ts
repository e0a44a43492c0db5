/** A mail provider: its server, and the page where an app password is made. */
export interface MailPreset {
  readonly id: string;
  readonly name: string;
  readonly server: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls';
  /** Domains of mail addresses. */
  readonly domains: readonly string[];
  /** The page where the password for this program is made, or IMAP is switched on. */
  readonly passwordPage: string;
  /** Instructions for the owner: how to get the password there. */
  readonly password: string;
}

const tls = { port: 993, security: 'tls' } as const;

/** In the order in which pages list them. */
export const mailPresets: readonly MailPreset[] = [
  {
    id: 'gmail',
    name: 'Gmail',
    server: 'imap.gmail.com',
    ...tls,
    domains: ['gmail.com', 'googlemail.com'],
    passwordPage: 'https://myaccount.google.com/apppasswords',
    password: 'Turn on 2-Step Verification, then make an app password.',
  },
  {
    id: 'icloud',
    name: 'iCloud Mail',
    server: 'imap.mail.me.com',
    ...tls,
    domains: ['icloud.com', 'me.com', 'mac.com'],
    passwordPage: 'https://account.apple.com',
    password: 'Open “Sign-In and Security”, then make an app-specific password.',
  },
  {
    id: 'fastmail',
    name: 'Fastmail',
    server: 'imap.fastmail.com',
    ...tls,
    domains: ['fastmail.com', 'fastmail.fm'],
    passwordPage: 'https://app.fastmail.com/settings/security',
    password: 'Open “Manage app passwords and access”, then make one for IMAP.',
  },
  {
    id: 'outlook',
    name: 'Outlook.com and Microsoft 365',
    server: 'outlook.office365.com',
    ...tls,
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'outlook.de', 'hotmail.de'],
    passwordPage: 'https://account.live.com/proofs/manage',
    password:
      'Microsoft accepts passwords for IMAP only where an administrator allows it. For other accounts, import an export instead.',
  },
  {
    id: 'yahoo',
    name: 'Yahoo Mail',
    server: 'imap.mail.yahoo.com',
    ...tls,
    domains: ['yahoo.com', 'yahoo.de', 'yahoo.fr', 'yahoo.co.uk', 'ymail.com', 'aol.com'],
    passwordPage: 'https://login.yahoo.com/account/security',
    password: 'Choose “Generate app password”.',
  },
  {
    id: 'gmx',
    name: 'GMX',
    server: 'imap.gmx.net',
    ...tls,
    domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch', 'gmx.com'],
    passwordPage: 'https://www.gmx.net',
    password:
      'In the settings of your mailbox, allow POP3 and IMAP. With two-factor sign-in, make an application password.',
  },
  {
    id: 'mailbox.org',
    name: 'mailbox.org',
    server: 'imap.mailbox.org',
    ...tls,
    domains: ['mailbox.org'],
    passwordPage: 'https://login.mailbox.org',
    password: 'With two-factor sign-in, make an application password in the security settings.',
  },
  {
    id: 'posteo',
    name: 'Posteo',
    server: 'posteo.de',
    ...tls,
    domains: ['posteo.de', 'posteo.net', 'posteo.org', 'posteo.eu'],
    passwordPage: 'https://posteo.de/en/login',
    password: 'Use the password of your mailbox.',
  },
];

/** Finds the provider of a mail address by its domain. */
export function findPreset(address: string): MailPreset | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return mailPresets.find(({ domains }) => domains.includes(domain));
}

/** Finds the provider that a server belongs to. */
export const findPresetOfServer = (server: string): MailPreset | undefined =>
  mailPresets.find((preset) => preset.server === server.toLowerCase());
