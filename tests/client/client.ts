// A client for tests: a real server process in a folder of its own, every byte of it judged.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection, type Message, type ProtocolConnection, StreamMessageReader, StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { Judge } from "./judge";

export const program = process.env.BRAINSTORM_LS ?? join(__dirname, "..", "..", "..", "build", "release", "brainstorm-ls");

export interface Decision {
  id: string;
  kind: string;
  prompt: string;
  options: { id: string; title: string }[];
  fields: { id: string; label: string; type: string }[];
}

export interface Session {
  id: string;
  state: string;
  stageName: string;
  revision: number;
  error: string | null;
  agents: { id: string; state: string }[];
  pendingDecisions: Decision[];
  files: { name: string; uri: string }[];
  insights: { id: string; kind: string; uri: string; line: number }[];
}

export interface SessionRef {
  session: string;
  state: string;
  pendingDecisions?: Decision[];
}

/** A message as it was seen, in order: "→" is the client's, "←" the server's. */
export interface Seen {
  way: "→" | "←";
  method: string;
  params: unknown;
}

/** A small project to brainstorm about, with its own home; removed by dispose(). */
export class Project {
  readonly home = mkdtempSync(join(tmpdir(), "brainstorm-client-"));
  readonly folder = join(this.home, "project");
  readonly environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH, HOME: this.home, LANG: "C.UTF-8", TMPDIR: process.env.TMPDIR,
    XDG_CONFIG_HOME: join(this.home, "config"), XDG_STATE_HOME: join(this.home, "state"),
  };

  constructor() {
    const files: Record<string, string> = {
      "README.md": "# Ledger\n\nReads bank statements with a hand-written parser.\n",
      "CMakeLists.txt": "project(ledger)\nadd_executable(ledger src/main.cpp src/parser.cpp src/lexer.cpp)\n",
      "src/main.cpp": '#include "parser.h"\n\nint main() { return parse_statement("") ? 0 : 1; }\n',
      "src/parser.h": "#pragma once\n#include <string>\nbool parse_statement(const std::string& text);\n",
      "src/parser.cpp":
        '#include "parser.h"\n\n// The hand-written parser: one function per rule of the grammar.\n' +
        "bool parse_amount(const std::string& text) { return !text.empty(); }\n" +
        "bool parse_statement(const std::string& text) {\n  // A generator would need the grammar in one file.\n" +
        "  return parse_amount(text);\n}\n",
      "src/lexer.cpp": "// The lexer splits a statement into tokens for the parser.\nint next_token() { return 0; }\n",
      "tests/parser_test.cpp": "// The parser is tested with 40 statements.\nint main() { return 0; }\n",
      "docs/grammar.md": "The grammar has 12 rules; the parser handles 9 of them.\n",
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
  }

  session(id: string): string {
    return join(this.folder, ".workflow", id);
  }

  /** Every file below .workflow, as paths relative to the project. */
  artefacts(): string[] {
    const root = join(this.folder, ".workflow");
    if (!existsSync(root)) return [];
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => join(it.parentPath, it.name));
  }

  dispose(): void {
    if (process.env.KEEP_PROJECTS) cpSync(this.home, process.env.KEEP_PROJECTS, { recursive: true });
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Waits at most this long for what must come: a guard against hanging, never a pause. */
const PATIENCE_MS = 30_000;

class JudgedWriter extends StreamMessageWriter {
  constructor(stream: NodeJS.WritableStream, private readonly before: (message: Message) => void) {
    super(stream);
  }
  override write(message: Message): Promise<void> {
    this.before(message);
    return super.write(message);
  }
}

export class Client {
  readonly judge = new Judge();
  readonly seen: Seen[] = [];
  readonly sessions = new Map<string, Session>();
  /** How many requests of the server this client has answered; the answers are on the wire. */
  answers = 0;
  readonly wire: ProtocolConnection;
  private readonly server: ChildProcessWithoutNullStreams;
  private readonly waiting = new Set<() => void>();
  private readonly exited: Promise<number | null>;
  private log = "";

  constructor(readonly project: Project, readonly capabilities: object) {
    this.server = spawn(program, ["--stdio"], { cwd: project.folder, env: project.environment });
    this.exited = new Promise((resolve, reject) => {
      this.server.once("error", reject);
      this.server.once("close", (code) => resolve(code));
    });
    this.server.stderr.on("data", (chunk: Buffer) => (this.log += chunk.toString()));
    this.server.stdout.on("data", (chunk: Buffer) => this.judge.receiveBytes(chunk));
    this.judge.onMessage = (message) => this.note("←", message as never);
    const reader = new StreamMessageReader(this.server.stdout);
    const writer = new JudgedWriter(this.server.stdin, (message) => {
      this.judge.send(message as never);
      this.note("→", message);
    });
    this.wire = createProtocolConnection(reader, writer);
  }

  private note(way: "→" | "←", message: Message): void {
    const { method, params } = message as { method?: string; params?: unknown };
    if (method !== undefined) this.seen.push({ way, method, params });
    else if (way === "→") ++this.answers;
    if (method === "brainstorm/session") this.sessions.set((params as Session).id, params as Session);
    for (const wake of [...this.waiting]) wake();
  }

  /** Answers a request of the server; a handler that never resolves is a client that never answers. */
  answer(method: string, handler: (params: never) => unknown): this {
    this.wire.onRequest(method, (params: unknown) => handler(params as never));
    return this;
  }

  async initialize(): Promise<Record<string, unknown>> {
    this.wire.listen();
    const result = await this.wire.sendRequest("initialize", {
      processId: process.pid,
      clientInfo: { name: "client tests" },
      rootUri: null,
      capabilities: this.capabilities,
      workspaceFolders: [{ uri: pathToFileURL(this.project.folder).href, name: "project" }],
    });
    await this.wire.sendNotification("initialized", {});
    return result as Record<string, unknown>;
  }

  command<T = SessionRef>(name: string, args: object): Promise<T> {
    return this.wire.sendRequest("workspace/executeCommand", { command: `brainstorm.${name}`, arguments: [args] });
  }

  /** The first truthy value of `look`, asked again whenever a message comes. */
  until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(check);
        const last = this.seen.slice(-8).map((it) => `${it.way} ${it.method} ${JSON.stringify(it.params)?.slice(0, 300)}`);
        reject(new Error(`never came: ${what}\nlast messages:\n${last.join("\n")}\nlog:\n${this.log.slice(-2000)}`));
      }, PATIENCE_MS);
      const check = (): void => {
        const value = look();
        if (value === undefined || value === false) return;
        clearTimeout(timer);
        this.waiting.delete(check);
        resolve(value);
      };
      this.waiting.add(check);
      check();
    });
  }

  untilState(id: string, state: string): Promise<Session> {
    return this.until(`${id} ${state}`, () => {
      const session = this.sessions.get(id);
      return session?.state === state && session;
    });
  }

  untilAsked(id: string, kind: string): Promise<Decision> {
    return this.until(`${id} asks ${kind}`, () => this.sessions.get(id)?.pendingDecisions.find((it) => it.kind === kind));
  }

  /** The server's messages of a method, in order. */
  from(method: string): unknown[] {
    return this.seen.filter((it) => it.way === "←" && it.method === method).map((it) => it.params);
  }

  /** Shuts the server down in good order; its exit code and everything that it did wrong. */
  async close(): Promise<{ code: number | null; faults: string[] }> {
    await this.wire.sendRequest("shutdown");
    await this.wire.sendNotification("exit");
    const code = await this.exited;
    this.wire.dispose();
    return { code, faults: this.judge.finish() };
  }

  kill(): void {
    this.server.kill("SIGKILL");
  }

  get stderr(): string {
    return this.log;
  }
}
