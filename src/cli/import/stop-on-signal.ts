/** The first Ctrl-C lets the batch finish; a second ends the process as usual. */
export function stopOnSignal(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = () => {
    console.error('\nStopping after this batch. What is in stays in; run the same again to go on.');
    controller.abort();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return {
    signal: controller.signal,
    end() {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
}
