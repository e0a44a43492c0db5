/** What the data is for. */
export function AskAbout() {
  return (
    <section class="card">
      <h2>Ask about it</h2>
      <p>
        An app that may read this connection finds it with its next call. An app you connected before it was
        there has to be given it: connect it once more and tick the new connection.
      </p>
      <p class="buttons">
        <a class="button primary" href="/dashboard/connect">
          Ask with an AI app
        </a>
        <a class="button" href="/dashboard/data">
          Look into the data
        </a>
      </p>
    </section>
  );
}
