// The peer: a language server as small as the library makes it, speaking over stdio.
const { createConnection, LSPErrorCodes, ProposedFeatures, ResponseError, TextDocumentSyncKind } =
  require("vscode-languageserver/node");

const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);

connection.onInitialize(() => ({
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    executeCommandProvider: { commands: ["brainstorm.models", "brainstorm.start"] },
  },
  serverInfo: { name: "peer" },
}));

connection.onExecuteCommand(({ command }, token) => {
  if (command === "brainstorm.models") return { models: [{ name: "offline", reachable: true }] };
  // Work that goes on until it is cancelled; the cancellation may have come while this was queued.
  const cancelled = () => new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled");
  if (token.isCancellationRequested) return cancelled();
  return new Promise((resolve) => {
    token.onCancellationRequested(() => resolve(cancelled()));
  });
});

connection.listen();
