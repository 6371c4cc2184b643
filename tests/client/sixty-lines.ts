// A whole client of brainstorm-ls in sixty lines. It starts a session, shows its progress, answers one
// decision on the wire and one from a second process, and cancels another session.
// Run it with: BRAINSTORM_LS=… node out/sixty-lines.js FOLDER "QUESTION"
import { execFileSync, spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection, StreamMessageReader, StreamMessageWriter, WorkDoneProgress,
} from "vscode-languageserver-protocol/node";

const program = process.env.BRAINSTORM_LS ?? "brainstorm-ls";
interface Session { id: string; state: string; pendingDecisions: { id: string; kind: string }[]; files: { name: string; uri: string }[] }

async function main(folder: string, question: string): Promise<void> {
  const server = spawn(program, ["--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  const wire = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  const command = (name: string, args: object): Promise<{ session: string; state: string }> =>
    wire.sendRequest("workspace/executeCommand", { command: `brainstorm.${name}`, arguments: [args] });

  // What the server says by itself: the progress of each run, and the whole session at each change.
  wire.onRequest("window/workDoneProgress/create", ({ token }) => {
    wire.onProgress(WorkDoneProgress.type, token, (it) => console.log(`progress ${it.kind}:`, "title" in it ? it.title : it.message ?? ""));
    return null;
  });
  const sessions = new Map<string, Session>();
  let changed = (): void => {};
  wire.onNotification("brainstorm/session", (session: Session) => {
    sessions.set(session.id, session);
    changed();
  });
  const until = async (id: string, fits: (it: Session) => boolean): Promise<Session> => {
    for (;;) {
      const session = sessions.get(id);
      if (session && fits(session)) return session;
      await new Promise<void>((resolve) => (changed = resolve));
    }
  };
  const asked = (kind: string) => (it: Session): boolean => it.pendingDecisions.some((decision) => decision.kind === kind);
  wire.listen();

  const capabilities = { window: { workDoneProgress: true }, experimental: { brainstorm: { version: 1, session: true } } };
  const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: "here" }];
  await wire.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities, workspaceFolders });
  await wire.sendNotification("initialized", {});

  const first = (await command("start", { question, checkpoints: "all" })).session;
  await until(first, asked("framing"));
  await command("decide", { session: first, choice: "approve" });
  await until(first, asked("review"));
  execFileSync(program, ["decide", first, "accept", "--folder", folder]);
  const done = await until(first, (it) => it.state === "COMPLETED");
  console.log("synthesis:", done.files.find((it) => it.name === "stage-3-synthesis.md")?.uri);

  const second = (await command("start", { question, checkpoints: "all" })).session;
  console.log("cancelled:", (await command("cancel", { session: second })).state);
  await wire.sendRequest("shutdown");
  await wire.sendNotification("exit");
}

main(process.argv[2] ?? ".", process.argv[3] ?? "What should we build next?")
  .catch((error) => { console.error(error); process.exit(1); });
