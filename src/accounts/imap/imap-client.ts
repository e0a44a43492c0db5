import { ImapFlow } from 'imapflow';

/**
 * An IMAP client that does not expand ranges of deleted messages. The library emits one event per number, so
 * one line from a hostile server could block the process. Deletions are found by comparison instead.
 */
export class ImapClient extends ImapFlow {
  async untaggedVanished(): Promise<void> {
    this.emit('expunge', {});
  }
}
