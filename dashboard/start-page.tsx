/** What a person sees who opens the printed address: where apps connect, and the commands for it. */
export function StartPage({ publicUrl }: { publicUrl: string }) {
  const url = `${publicUrl}/mcp`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>pdpp</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <main>
          <h1>pdpp is running</h1>
          <p>AI apps read your data here, each only what you allow it:</p>
          <Command text={url} />
          <h2>1. Allow an app to read something</h2>
          <Command text='npm run -s pdpp -- grant create --client "Claude Code" --allow CONNECTION' />
          <p>It prints a token once. Take access back at any time with:</p>
          <Command text="npm run -s pdpp -- grant revoke ID" />
          <h2>2. Add pdpp to the app</h2>
          <h3>Claude Code</h3>
          <Command
            text={`claude mcp add --transport http pdpp ${url} --header "Authorization: Bearer $PDPP_TOKEN"`}
          />
          <h3>Codex</h3>
          <Command text={`codex mcp add pdpp --url ${url} --bearer-token-env-var PDPP_TOKEN`} />
          <h2>No data yet?</h2>
          <Command text="npm run -s pdpp -- demo" />
        </main>
      </body>
    </html>
  );
}

function Command({ text }: { text: string }) {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}
