#!/bin/sh
# --command for the client suite: CLI=<path of built cli.js>. A folder of its own for each run; what a scenario knows beforehand becomes options.
here=$(cd "$(dirname "$0")" && pwd)
cd "$(mktemp -d)" || exit 1
export BROWSER="$here/client-browser.sh"
for url; do :; done
case "$MCP_CONFORMANCE_SCENARIO" in
  auth/basic-cimd) set -- --client-id https://conformance-test.local/client-metadata.json ;;
  auth/pre-registration)
    node -e 'process.stdout.write(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT).client_secret)' > secret
    set -- --client-id "$(node -p 'JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT).client_id')" --client-secret-file secret ;;
  *) set -- ;;
esac
exec node "$CLI" connect "$url" "$@"
