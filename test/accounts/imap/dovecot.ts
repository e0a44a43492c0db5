import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import { type Certificate, makeCertificate } from '../../support/tls/make-certificate.ts';

export const HOST = 'mail.test';
export const USER = 'anna@example.org';
export const PASSWORD = 'correct horse';
export const authority = makeCertificate({ names: [], isAuthority: true });

const PROGRAM = '/usr/sbin/dovecot';
/** Without any of the extensions for quick syncs. */
export const PLAIN_CAPABILITY = 'IMAP4rev1 SASL-IR LITERAL+ STARTTLS AUTH=PLAIN UIDPLUS SPECIAL-USE';

export interface DovecotOptions {
  readonly certificate?: Certificate;
  /** What the server claims to support; its own by default. */
  readonly capability?: string;
}

/** Installs Dovecot from the packages of the system where it is missing. */
function findDovecot(): string {
  if (existsSync(PROGRAM)) return PROGRAM;
  if (userInfo().uid !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error('These tests need Dovecot: apt-get install dovecot-imapd');
  process.stderr.write('Dovecot is missing. Installing dovecot-imapd…\n');
  execFileSync('apt-get', ['update', '-qq']);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // The tests start servers of their own; the package must not start one.
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'dovecot-imapd'], { env });
  return PROGRAM;
}

/** A Dovecot server of the tests, with one mailbox, on free ports. */
export class Dovecot {
  readonly folder: string;
  readonly #options: DovecotOptions;
  #ports: { imap: number; imaps: number } | undefined;
  #process: ReturnType<typeof spawn> | undefined;

  constructor(options: DovecotOptions = {}) {
    this.#options = options;
    this.folder = mkdtempSync(join(tmpdir(), 'pdpp-dovecot-'));
    chmodSync(this.folder, 0o755);
    const { cert, key } = options.certificate ?? makeCertificate({ names: [HOST], issuer: authority });
    this.#write('cert.pem', cert);
    this.#write('key.pem', key);
    this.#write('users', `${USER}:{PLAIN}${PASSWORD}\n`);
    for (const name of ['run', 'state', 'home']) mkdirSync(join(this.folder, name));
    const { uid, gid } = mailOwner();
    mkdirSync(this.maildir, { recursive: true });
    for (const name of ['home', 'home/Maildir']) chownSync(join(this.folder, name), uid, gid);
  }

  get port(): number {
    return this.#ports?.imaps ?? 0;
  }

  /** The port for STARTTLS. */
  get plainPort(): number {
    return this.#ports?.imap ?? 0;
  }

  get maildir(): string {
    return join(this.folder, 'home', 'Maildir');
  }

  async start(): Promise<void> {
    this.#ports ??= { imap: await findPort(), imaps: await findPort() };
    this.#write('dovecot.conf', this.#configure(this.#ports));
    const config = join(this.folder, 'dovecot.conf');
    this.#process = spawn(findDovecot(), ['-F', '-c', config], { stdio: 'ignore' });
    await waitForPort(this.#ports.imaps);
  }

  /** Ends the server and all of its connections. */
  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running?.pid === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    const children = listChildren(running.pid);
    running.kill('SIGTERM');
    await Promise.race([ended, sleep(1_000)]);
    // A process that waits for its client goes on after its master.
    for (const pid of [running.pid, ...children]) kill(pid);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Runs commands as another mail program. */
  async edit<Result>(work: (client: ImapFlow) => Promise<Result>): Promise<Result> {
    const client = new ImapFlow({
      host: '127.0.0.1',
      servername: HOST,
      port: this.port,
      secure: true,
      tls: { ca: [authority.cert], rejectUnauthorized: false },
      auth: { user: USER, pass: PASSWORD },
      logger: false,
      disableAutoIdle: true,
    });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  }

  /** Appends a mail as another program does. */
  append(folder: string, mail: string, flags: string[] = [], date?: Date): Promise<void> {
    return this.edit(async (client) => {
      await client.append(folder, mail.replaceAll('\n', '\r\n'), flags, date);
    });
  }

  /** Delivers a mail as a mail server does. */
  deliver(mail: string): void {
    const args = ['-c', join(this.folder, 'dovecot.conf'), 'save', '-u', USER, '-m', 'INBOX'];
    execFileSync('doveadm', args, { input: mail, stdio: ['pipe', 'ignore', 'pipe'] });
  }

  /** Writes many mails into the Maildir of a folder at once. Each character is a byte. */
  fill(folder: string, mails: Iterable<string>): void {
    const { uid, gid } = mailOwner();
    const base = folder === 'INBOX' ? this.maildir : join(this.maildir, `.${folder.replaceAll('/', '.')}`);
    for (const name of ['', 'cur', 'new', 'tmp']) {
      mkdirSync(join(base, name), { recursive: true });
      chownSync(join(base, name), uid, gid);
    }
    let number = 0;
    for (const mail of mails) {
      number += 1;
      const bytes = Buffer.from(mail, 'latin1');
      const name = `${1_700_000_000 + number}.M${number}.test,S=${bytes.length}:2,${number % 3 === 0 ? '' : 'S'}`;
      writeFileSync(join(base, 'cur', name), bytes);
      chownSync(join(base, 'cur', name), uid, gid);
    }
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  #configure({ imap, imaps }: { imap: number; imaps: number }): string {
    const { uid, gid } = mailOwner();
    const own = userInfo();
    const isRoot = own.uid === 0;
    return `
      base_dir = ${this.folder}/run
      state_dir = ${this.folder}/state
      log_path = ${this.folder}/log
      protocols = imap
      listen = 127.0.0.1
      ${isRoot ? '' : `default_internal_user = ${own.username}\ndefault_login_user = ${own.username}\ndefault_internal_group = ${own.gid}`}
      first_valid_uid = 1
      ssl = required
      ssl_cert = <${this.folder}/cert.pem
      ssl_key = <${this.folder}/key.pem
      mail_location = maildir:~/Maildir
      maildir_very_dirty_syncs = no
      mail_max_userip_connections = 100
      auth_failure_delay = 0
      ${this.#options.capability === undefined ? '' : `protocol imap {\nimap_capability = ${this.#options.capability}\n}`}
      passdb {
        driver = passwd-file
        args = username_format=%u ${this.folder}/users
      }
      userdb {
        driver = static
        args = uid=${uid} gid=${gid} home=${this.folder}/home
      }
      namespace inbox {
        inbox = yes
        separator = /
        mailbox Sent {
          special_use = \\Sent
          auto = create
        }
        mailbox Trash {
          special_use = \\Trash
          auto = create
        }
        mailbox Junk {
          special_use = \\Junk
          auto = create
        }
        mailbox Archive {
          special_use = \\Archive
          auto = create
        }
      }
      service imap-login {
        ${isRoot ? '' : 'chroot ='}
        inet_listener imap {
          port = ${imap}
        }
        inet_listener imaps {
          port = ${imaps}
          ssl = yes
        }
      }
      ${isRoot ? '' : 'service anvil {\nchroot =\n}'}
    `
      .split('\n')
      .map((line) => line.trim())
      .join('\n');
  }
}

function listChildren(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map(Number)
    .filter((child) => child > 1);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Dovecot refuses to read mail as root. */
function mailOwner(): { uid: number; gid: number } {
  const { uid, gid } = userInfo();
  return uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid };
}

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isOpen = await new Promise((resolve) => {
      const socket: Socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error('Dovecot did not start.');
}
