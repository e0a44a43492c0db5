/** A sentence in which `backticks` hold what is typed or clicked as it stands. */
export function InlineCode({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 0 ? part : <code>{part}</code>))}</>;
}
