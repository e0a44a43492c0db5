import PostalMime from 'postal-mime';
import type { Mail } from './read-mime.ts';
import { findSize, thinAttachments } from './thin-attachments.ts';

/** The library knows all of MIME, and takes many times as long. Throws where a mail is nested too deeply or has endless headers. */
export async function parseWithLibrary(raw: Buffer): Promise<Mail> {
  const email = await PostalMime.parse(thinAttachments(raw), {
    maxNestingDepth: 64,
    maxRfc822NestingDepth: 4,
  });
  return {
    headers: email.headers,
    from: email.from,
    to: email.to ?? [],
    cc: email.cc ?? [],
    bcc: email.bcc ?? [],
    subject: email.subject,
    messageId: email.messageId,
    text: email.text,
    html: email.html,
    attachments: email.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? undefined,
      mediaType: mimeType,
      bytes: findSize(content),
    })),
  };
}
