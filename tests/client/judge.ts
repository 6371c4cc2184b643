// Watches one connection from outside, byte by byte, and notes everything that the server does against
// the protocol: framing, shapes (metamodel.ts), order, and messages that this client never asked for.
import { brainstormModel, commandResults } from "./brainstorm-model";
import { MetaModel, protocolModel } from "./metamodel";

interface Message {
  jsonrpc?: unknown;
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

type Token = number | string;

const model = new MetaModel(protocolModel(), brainstormModel);

/** What a client must have declared before the server may send a method. */
const neededCapability: Record<string, string> = {
  "window/workDoneProgress/create": "window.workDoneProgress",
  "window/showDocument": "window.showDocument.support",
  "window/showMessageRequest": "window.showMessage",
  "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
  "workspace/inlayHint/refresh": "workspace.inlayHint.refreshSupport",
  "workspace/applyEdit": "workspace.applyEdit",
  "workspace/configuration": "workspace.configuration",
  "client/registerCapability": "never: registration is static",
  "brainstorm/session": "experimental.brainstorm.session",
  "brainstorm/delta": "experimental.brainstorm.delta",
  "brainstorm/input": "experimental.brainstorm.input",
  "experimental/serverStatus": "experimental.serverStatusNotification",
};

function member(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((it, key) => (it as Record<string, unknown> | undefined)?.[key], value);
}

interface Progress {
  state: "created" | "ready" | "begun" | "ended";
  percentage: number;
}

export class Judge {
  readonly faults: string[] = [];
  /** Hears every message of the server after it was judged. */
  onMessage: (message: Message) => void = () => {};
  private bytes = Buffer.alloc(0);
  private lost = false;
  private capabilities: unknown = {};
  private initialized = false;
  private shutDown = false;
  private readonly asked = new Map<number | string, Message>();
  private readonly answered = new Set<number | string>();
  private readonly serverAsked = new Map<number | string, Message>();
  private readonly progress = new Map<Token, Progress>();

  /** Everything that the server writes to its standard output, as it comes. */
  receiveBytes(chunk: Buffer): void {
    if (this.lost) return;
    this.bytes = Buffer.concat([this.bytes, chunk]);
    for (;;) {
      const end = this.bytes.indexOf("\r\n\r\n");
      const head = this.bytes.subarray(0, end < 0 ? Math.min(this.bytes.length, 64) : end).toString("latin1");
      if (end < 0 ? !"Content-Length: ".startsWith(head.slice(0, 16)) : !/^Content-Length: \d+$/.test(head)) {
        this.lost = true;
        this.faults.push(`standard output holds something that is no frame: ${JSON.stringify(head)}`);
        return;
      }
      if (end < 0) return;
      const length = Number(head.slice("Content-Length: ".length));
      if (this.bytes.length < end + 4 + length) return;
      const body = this.bytes.subarray(end + 4, end + 4 + length);
      this.bytes = this.bytes.subarray(end + 4 + length);
      this.receiveBody(body);
    }
  }

  private receiveBody(body: Buffer): void {
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
      this.receive(JSON.parse(text) as Message);
    } catch (error) {
      this.faults.push(`a body that is no JSON: ${String(error)}`);
    }
  }

  /** A message of the client, before it is written. */
  send(message: Message): void {
    if (message.method === "initialize") this.capabilities = member(message.params, "capabilities") ?? {};
    if (message.method === "initialized") this.initialized = true;
    if (message.method !== undefined && message.id !== undefined && message.id !== null) {
      this.asked.set(message.id, message);
      // A token that travels with a request needs no create.
      const token = member(message.params, "workDoneToken") as Token | undefined;
      if (token !== undefined) this.progress.set(token, { state: "ready", percentage: 0 });
    } else if (message.method === undefined && message.id !== undefined && message.id !== null) {
      this.answerOfClient(message);
    }
  }

  private answerOfClient(message: Message): void {
    const request = this.serverAsked.get(message.id as number);
    if (request?.method !== "window/workDoneProgress/create") return;
    const progress = this.progress.get(member(request.params, "token") as Token);
    if (progress) progress.state = message.error ? "ended" : "ready";
  }

  /** A message of the server. */
  receive(message: Message): void {
    if (message.jsonrpc !== "2.0") this.faults.push(`no "jsonrpc": "2.0" in ${JSON.stringify(message)}`);
    if (message.method === undefined) this.receiveResponse(message);
    else this.receiveCall(message.method, message);
    this.onMessage(message);
  }

  private receiveCall(method: string, message: Message): void {
    const kind = message.id === undefined ? "notification" : "request";
    for (const key of Object.keys(message)) {
      if (!["jsonrpc", "id", "method", "params"].includes(key)) this.faults.push(`${method}: has ${key}`);
    }
    if (!this.initialized) this.faults.push(`${method}: sent before the client said initialized`);
    const needed = neededCapability[method];
    if (needed && !member(this.capabilities, needed)) {
      this.faults.push(`${method}: sent to a client that does not declare ${needed}`);
    }
    this.note(method, model.paramsFromServer(kind, method, message.params));
    if (kind === "request") this.receiveRequest(method, message);
    if (method === "$/progress") this.receiveProgress(message.params);
  }

  private receiveRequest(method: string, message: Message): void {
    const id = message.id as number;
    if (!Number.isInteger(id)) this.faults.push(`${method}: its id ${JSON.stringify(id)} is no integer`);
    if (this.serverAsked.has(id)) this.faults.push(`${method}: the id ${id} was used before`);
    if (this.shutDown) this.faults.push(`${method}: a request after shutdown was answered`);
    this.serverAsked.set(id, message);
    if (method === "window/workDoneProgress/create") {
      const token = member(message.params, "token") as Token;
      if (this.progress.has(token)) this.faults.push(`${method}: the token ${token} was used before`);
      this.progress.set(token, { state: "created", percentage: 0 });
    }
  }

  private receiveProgress(params: unknown): void {
    const token = member(params, "token") as Token;
    const kind = member(params, "value.kind") as string;
    const value = member(params, "value");
    const shape = { begin: "WorkDoneProgressBegin", report: "WorkDoneProgressReport", end: "WorkDoneProgressEnd" }[kind];
    if (!shape) {
      this.faults.push(`$/progress: the kind ${JSON.stringify(kind)} is unknown`);
      return;
    }
    this.note("$/progress", model.check({ kind: "reference", name: shape }, value, "value"));
    const progress = this.progress.get(token);
    const expected = kind === "begin" ? "ready" : "begun";
    if (progress?.state !== expected) {
      this.faults.push(`$/progress ${kind}: the token ${token} is ${progress?.state ?? "unknown"}, not ${expected}`);
      return;
    }
    progress.state = kind === "end" ? "ended" : "begun";
    const percentage = member(value, "percentage") as number | undefined;
    if (percentage === undefined) return;
    if (percentage < progress.percentage || percentage > 100) {
      this.faults.push(`$/progress ${kind}: ${percentage} % after ${progress.percentage} %`);
    }
    progress.percentage = percentage;
  }

  private receiveResponse(message: Message): void {
    const { id } = message;
    const about = `the answer to ${id === undefined ? "nothing" : JSON.stringify(id)}`;
    const has = ["result", "error"].filter((key) => key in message);
    if (has.length !== 1) this.faults.push(`${about} has ${has.join(" and ") || "neither result nor error"}`);
    for (const key of Object.keys(message)) {
      if (!["jsonrpc", "id", "result", "error"].includes(key)) this.faults.push(`${about} has ${key}`);
    }
    if ("error" in message) this.checkError(about, message.error);
    if (id === null) {
      if (!("error" in message)) this.faults.push(`${about} has the id null without being an error`);
      return;
    }
    const request = id === undefined ? undefined : this.asked.get(id);
    if (id === undefined || !request) {
      this.faults.push(`${about}: nobody asked`);
      return;
    }
    if (this.answered.has(id)) this.faults.push(`${about}: the second one`);
    this.answered.add(id);
    if (request.method === "shutdown") this.shutDown = true;
    if ("result" in message) this.checkResult(request, message.result);
  }

  private checkResult(request: Message, result: unknown): void {
    const method = request.method as string;
    this.note(`${method} answered`, model.resultFromServer(method, result));
    const command = member(request.params, "command") as string | undefined;
    const type = command === undefined ? undefined : commandResults[command];
    const dryRun = member(request.params, "arguments.0.dryRun") === true;
    if (type && !dryRun) this.note(`${command} answered`, model.check(type, result, "result"));
    if (method === "initialize") {
      const ours = member(result, "capabilities.experimental.brainstorm");
      this.note("initialize answered",
        model.check({ kind: "reference", name: "BrainstormServer" }, ours, "experimental.brainstorm"));
    }
  }

  private checkError(about: string, error: unknown): void {
    const code = member(error, "code");
    const text = member(error, "message");
    if (!Number.isInteger(code)) this.faults.push(`${about}: error.code ${JSON.stringify(code)} is no integer`);
    if (typeof text !== "string" || text === "") this.faults.push(`${about}: error.message is empty or no text`);
    if (code !== -32803) return;
    for (const key of ["data.code", "data.hint"]) {
      const value = member(error, key);
      if (typeof value !== "string" || value === "") this.faults.push(`${about}: error.${key} is empty or no text`);
    }
  }

  private note(about: string, faults: string[]): void {
    this.faults.push(...faults.map((fault) => `${about}: ${fault}`));
  }

  /** The verdict at the end of a connection: also what was left open. */
  finish(): string[] {
    for (const [id, message] of this.asked) {
      if (!this.answered.has(id)) this.faults.push(`${message.method} (${id}) was never answered`);
    }
    for (const [token, progress] of this.progress) {
      if (progress.state === "begun") this.faults.push(`the progress ${token} never ended`);
    }
    if (!this.lost && this.bytes.length > 0) this.faults.push("standard output ends in the middle of a frame");
    return this.faults;
  }
}
