/** Links to the previous and next page. */
export function Leaves(props: { previous: string | null; next: string | null; label: string }) {
  const { previous, next, label } = props;
  if (previous === null && next === null) return null;
  return (
    <nav class="buttons leaves" aria-label={label}>
      {previous !== null && (
        <a class="button" rel="prev" href={previous}>
          ← Previous
        </a>
      )}
      {next !== null && (
        <a class="button" rel="next" href={next}>
          Next →
        </a>
      )}
    </nav>
  );
}
