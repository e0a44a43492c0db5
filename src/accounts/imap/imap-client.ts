import { ImapFlow } from 'imapflow';

/**
 * An IMAP client that does not expand ranges of deleted messages. The library makes one event of each number, so that
 * one line of a hostile server could keep the process busy. Deletions are found by comparison instead.
 */
export class ImapClient extends ImapFlow {
  async untaggedVanished(): Promise<void> {
    this.emit('expunge', {});
  }
}
