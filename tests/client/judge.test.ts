import assert from "node:assert/strict";
import { test } from "node:test";
import { Judge } from "./judge";

type Step = ["client" | "server", Record<string, unknown>];

const initialize = (capabilities: unknown = {}): Step[] => [
  ["client", { id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities } }],
  ["server", {
    id: 1,
    result: { capabilities: { experimental: { brainstorm: { version: 1, modes: ["swarm"], commands: [] } } } },
  }],
  ["client", { method: "initialized", params: {} }],
];
const withProgress = initialize({ window: { workDoneProgress: true } });
const create: Step = ["server", { id: 7, method: "window/workDoneProgress/create", params: { token: "t" } }];
const created: Step = ["client", { id: 7, result: null }];
const progress = (value: unknown): Step => ["server", { method: "$/progress", params: { token: "t", value } }];
const begin = progress({ kind: "begin", title: "[Stage 1/4 - FRAMING]", percentage: 0 });
const end = progress({ kind: "end" });
const log: Step = ["server", { method: "window/logMessage", params: { type: 3, message: "x" } }];

// name, conversation, what a fault must say ("" = no fault)
const cases: [string, Step[], string][] = [
  ["a plain start", initialize(), ""],
  ["progress from create to end", [...withProgress, create, created, begin, progress({ kind: "report", percentage: 5 }), end], ""],
  ["a log line before initialized", [...initialize().slice(0, 2), log], "before the client said initialized"],
  ["progress nobody declared", [...initialize(), create], "does not declare window.workDoneProgress"],
  ["begin before create is answered", [...withProgress, create, begin, created, end], "is created, not ready"],
  ["begin after create was refused", [...withProgress, create, ["client", { id: 7, error: { code: -32601, message: "" } }], begin], "is ended, not ready"],
  ["begin without create", [...withProgress, begin], "is unknown, not ready"],
  ["a report after the end", [...withProgress, create, created, begin, end, progress({ kind: "report" })], "is ended, not begun"],
  ["no end", [...withProgress, create, created, begin], "never ended"],
  ["a percentage that falls", [...withProgress, create, created, begin, progress({ kind: "report", percentage: 5 }), progress({ kind: "report", percentage: 4 }), end], "4 % after 5 %"],
  ["a begin without title", [...withProgress, create, created, progress({ kind: "begin" }), end], "value.title: missing"],
  ["a token used twice", [...withProgress, create, created, begin, end, ["server", { id: 8, method: "window/workDoneProgress/create", params: { token: "t" } }]], "was used before"],
  ["an id used twice", [...withProgress, create, ["server", { id: 7, method: "window/workDoneProgress/create", params: { token: "u" } }]], "the id 7 was used before"],
  ["an id that is a string", [...withProgress, ["server", { id: "7", method: "window/workDoneProgress/create", params: { token: "u" } }]], "is no integer"],
  ["an answer without result", [["client", { id: 1, method: "shutdown" }], ["server", { id: 1 }]], "neither result nor error"],
  ["an answer with both", [["client", { id: 1, method: "shutdown" }], ["server", { id: 1, result: null, error: { code: 1, message: "x" } }]], "result and error"],
  ["shutdown answered with an object", [["client", { id: 1, method: "shutdown" }], ["server", { id: 1, result: {} }]], "is not a null"],
  ["an answer nobody asked for", [["server", { id: 5, result: null }]], "nobody asked"],
  ["two answers", [["client", { id: 1, method: "shutdown" }], ["server", { id: 1, result: null }], ["server", { id: 1, result: null }]], "the second one"],
  ["no answer", [["client", { id: "a", method: "shutdown" }]], "was never answered"],
  ["an id that changed its type", [["client", { id: "1", method: "shutdown" }], ["server", { id: 1, result: null }]], "nobody asked"],
  ["an error without text", [["client", { id: 1, method: "shutdown" }], ["server", { id: 1, error: { code: -32600, message: "" } }]], "error.message"],
  ["our error without its code", [["client", { id: 1, method: "shutdown" }], ["server", { id: 1, error: { code: -32803, message: "x", data: { hint: "y" } } }]], "error.data.code"],
  ["a start that answers nonsense", [["client", { id: 1, method: "workspace/executeCommand", params: { command: "brainstorm.start", arguments: [{}] } }], ["server", { id: 1, result: { id: "x" } }]], "result.session: missing"],
  ["a snapshot nobody declared", [...initialize(), ["server", { method: "brainstorm/session", params: {} }]], "does not declare experimental.brainstorm.session"],
  ["a registration", [...initialize(), ["server", { id: 3, method: "client/registerCapability", params: { registrations: [] } }]], "registration is static"],
];

for (const [name, steps, fault] of cases) {
  test(`judge: ${name} → ${fault || "fine"}`, () => {
    const judge = new Judge();
    for (const [who, message] of steps) {
      const whole = { jsonrpc: "2.0", ...message };
      if (who === "client") judge.send(whole);
      else judge.receive(whole);
    }
    const faults = judge.finish();
    if (fault === "") assert.deepEqual(faults, []);
    else assert.ok(faults.some((it) => it.includes(fault)), `faults: ${JSON.stringify(faults)}`);
  });
}

const body = JSON.stringify({ jsonrpc: "2.0", method: "window/logMessage", params: { type: 3, message: "日本 🎈" } });
const frame = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const streams: [string, string, string][] = [
  ["two frames", frame + frame, ""],
  ["a print before a frame", `hello\n${frame}`, "no frame"],
  ["a print after a frame", `${frame}hello and more words\r\n\r\n`, "no frame"],
  ["a length in characters", frame.replace(/\d+/, String(body.length)) + frame, "no JSON"],
  ["half a frame", frame.slice(0, -3), "in the middle of a frame"],
  ["another header", frame.replace("\r\n\r\n", "\r\nX-Other: 1\r\n\r\n"), "no frame"],
  ["no version", frame.replace('"2.0"', '"1.0"'), '"jsonrpc"'],
];

for (const [name, text, fault] of streams) {
  for (const size of [1, 7, text.length * 4]) {
    test(`stream: ${name} in pieces of ${size} → ${fault || "fine"}`, () => {
      const judge = new Judge();
      for (const [, message] of initialize().slice(2)) judge.send(message);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) judge.receiveBytes(bytes.subarray(at, at + size));
      const faults = judge.finish();
      if (fault === "") assert.deepEqual(faults, []);
      else assert.ok(faults.some((it) => it.includes(fault)), `faults: ${JSON.stringify(faults)}`);
    });
  }
}
