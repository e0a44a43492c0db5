/** A provider of calendars, contacts or files: its servers, and the page where an app password is made. */
export interface DavPreset {
  readonly id: string;
  readonly name: string;
  /** Addresses at which discovery starts. Absent if the provider has no such server. */
  readonly caldav?: string;
  readonly carddav?: string;
  /** Domains of user names. */
  readonly domains: readonly string[];
  /** All hosts below this domain belong to the provider and may receive the password. */
  readonly sharedDomain?: string;
  readonly passwordPage: string;
  /** Instructions for the owner: how to get the password there. */
  readonly password: string;
}

/** In the order in which pages list them. Google and Outlook are missing, because they accept only OAuth. */
export const davPresets: readonly DavPreset[] = [
  {
    id: 'icloud',
    name: 'iCloud',
    caldav: 'https://caldav.icloud.com/',
    carddav: 'https://contacts.icloud.com/',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    // The calendars of a user are at a host such as p42-caldav.icloud.com.
    sharedDomain: 'icloud.com',
    passwordPage: 'https://account.apple.com',
    password: 'Open “Sign-In and Security”, then make an app-specific password.',
  },
  {
    id: 'fastmail',
    name: 'Fastmail',
    caldav: 'https://caldav.fastmail.com/',
    carddav: 'https://carddav.fastmail.com/',
    domains: ['fastmail.com', 'fastmail.fm'],
    passwordPage: 'https://app.fastmail.com/settings/security',
    password: 'Open “Manage app passwords and access”, then make one for calendars and contacts.',
  },
  {
    id: 'gmx',
    name: 'GMX',
    caldav: 'https://caldav.gmx.net/',
    carddav: 'https://carddav.gmx.net/',
    domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'],
    passwordPage: 'https://www.gmx.net',
    password: 'Use your password. With two-factor sign-in, make an application password.',
  },
  {
    id: 'mailbox.org',
    name: 'mailbox.org',
    caldav: 'https://dav.mailbox.org/',
    carddav: 'https://dav.mailbox.org/',
    domains: ['mailbox.org'],
    passwordPage: 'https://login.mailbox.org',
    password: 'Use your password. With two-factor sign-in, make an application password.',
  },
  {
    id: 'posteo',
    name: 'Posteo',
    caldav: 'https://posteo.de:8443/',
    carddav: 'https://posteo.de:8843/',
    domains: ['posteo.de', 'posteo.net', 'posteo.at', 'posteo.ch', 'posteo.eu', 'posteo.org'],
    passwordPage: 'https://posteo.de/en/settings',
    password: 'Use the password of your mailbox.',
  },
  {
    id: 'nextcloud',
    name: 'Nextcloud',
    // Every installation has an address of its own.
    domains: [],
    passwordPage: 'https://docs.nextcloud.com/server/latest/user_manual/en/session_management.html',
    password:
      'In “Personal settings”, “Security”, make an app password. The server is the address of your Nextcloud.',
  },
];

/** Returns the provider of a user name that is a mail address. */
export function findDavPreset(user: string): DavPreset | undefined {
  const domain = user.slice(user.lastIndexOf('@') + 1).toLowerCase();
  return davPresets.find(({ domains }) => user.includes('@') && domains.includes(domain));
}

/** The domains below which a provider has several hosts. */
export const sharedDomains: readonly string[] = davPresets.flatMap(({ sharedDomain = [] }) => sharedDomain);
