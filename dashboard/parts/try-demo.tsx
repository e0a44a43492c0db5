import { Copy } from './layout.tsx';

/** Suggests demo data. */
export function TryDemo({ demo = 'pdpp demo' }: { demo: string | undefined }) {
  return (
    <section class="card">
      <h2>No export yet?</h2>
      <p>Try demo data: one year of a fictional person. You can remove it at any time.</p>
      <Copy text={demo} />
    </section>
  );
}
